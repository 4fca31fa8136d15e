#pragma once

#include <span>
#include <string_view>

namespace gfdt::app {

/// A model that comes with the program, as its file's text.
struct ShippedModel {
  std::string_view name;
  std::string_view text;
};

/// The files of models/, sorted by name.
std::span<const ShippedModel> shipped_models();

}  // namespace gfdt::app

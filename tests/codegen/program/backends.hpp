#pragma once

#include <gtest/gtest.h>

#include "gfdt/codegen/native/code_cache.hpp"
#include "gfdt/codegen/native/compiler.hpp"
#include "gfdt/codegen/program/kernel.hpp"

namespace gfdt::codegen {

template <class T, Backend B>
struct Setting {
  using Real = T;
  static constexpr Backend backend = B;
};

using Settings = testing::Types<Setting<float, Backend::interpreter>, Setting<double, Backend::interpreter>,
                                Setting<float, Backend::native>, Setting<double, Backend::native>>;

struct SettingName {
  template <class S>
  static std::string GetName(int) {
    return std::string(S::backend == Backend::native ? "native" : "interpreter") +
           (sizeof(typename S::Real) == sizeof(float) ? "_float" : "_double");
  }
};

/// A test that is run for every back end in both precisions.
template <class S>
class OnEachBackend : public testing::Test {
 protected:
  void SetUp() override {
    if (S::backend == Backend::native && find_compiler().empty()) GTEST_SKIP() << "there is no compiler";
  }
};

}  // namespace gfdt::codegen

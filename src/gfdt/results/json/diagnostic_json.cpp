#include "gfdt/results/json/diagnostic_json.hpp"

#include <nlohmann/json.hpp>

namespace gfdt::results {

nlohmann::ordered_json to_json(const std::vector<Diagnostic>& diagnostics) {
  auto list = nlohmann::ordered_json::array();
  for (const Diagnostic& diagnostic : diagnostics)
    list.push_back({{"check", name(diagnostic.check)},
                    {"passed", diagnostic.passed()},
                    {"judged", !diagnostic.unresolved()},
                    {"verdict", diagnostic.text},
                    {"advice", diagnostic.remedy}});
  return list;
}

}  // namespace gfdt::results

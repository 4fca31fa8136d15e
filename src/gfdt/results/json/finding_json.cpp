#include "gfdt/results/json/finding_json.hpp"

#include <nlohmann/json.hpp>

namespace gfdt::results {

nlohmann::ordered_json to_json(const std::vector<statistics::Finding>& findings) {
  auto list = nlohmann::ordered_json::array();
  for (const statistics::Finding& finding : findings)
    list.push_back({{"check", finding.check},
                    {"passed", finding.passed},
                    {"judged", finding.judged},
                    {"verdict", finding.verdict},
                    {"advice", finding.advice}});
  return list;
}

}  // namespace gfdt::results

#include "response_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "styled_text.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

constexpr std::size_t shown_times = 20;

}  // namespace

void print(std::FILE* file, const ResponseCurves& curves) {
  std::vector<std::string> heading{"time", "δ" + curves.parameter};
  for (const std::string& name : curves.observables) {
    heading.push_back(fmt::format("δ<{}>", name));
    if (!curves.check.empty()) heading.insert(heading.end(), {"ensemble", "off by"});
  }
  Table table(heading);
  const std::size_t stride = std::max<std::size_t>(1, (curves.time.size() + shown_times / 2) / shown_times);
  for (std::size_t i = 0; i < curves.time.size(); ++i) {
    if (i % stride != 0 && i + 1 != curves.time.size()) continue;
    std::vector<std::string> row{fmt::format("{:.4g}", curves.time[i]), fmt::format("{:.4g}", curves.forcing[i])};
    for (std::size_t m = 0; m < curves.observables.size(); ++m) {
      const api::Estimate& response = curves.response[m][i];
      row.push_back(with_error(response.value, response.standard_error));
      if (curves.check.empty()) continue;
      const api::Estimate& check = curves.check[m][i];
      const double off = curves.off_by(m, i);
      row.push_back(std::isfinite(check.value) ? with_error(check.value, check.standard_error) : "");
      row.push_back(!std::isfinite(off) ? "" : off == 0 ? "0 σ" : fmt::format("{:+.1f} σ", off));
    }
    table.add(row);
  }
  table.print(file);
  put_secondary(file, errors_in_parentheses);
}

void print(std::FILE* file, const LastResponses& last, const std::vector<std::string>& observables) {
  std::vector<std::string> heading{"step response"};
  for (const std::string& name : last.parameters) heading.push_back("per " + name);
  Table table(heading);
  for (std::size_t m = 0; m < last.response.size(); ++m) {
    std::vector<std::string> row{"<" + observables[m] + ">"};
    for (const api::Estimate& response : last.response[m])
      row.push_back(std::isfinite(response.value) ? with_error(response.value, response.standard_error) : "–");
    table.add(row);
  }
  table.print(file);
  put_secondary(file, errors_in_parentheses);
  say(file, "\n  at time {:.4g} after a step of size 1{}, to first order\n", last.time,
      last.transient ? " at the start" : "");
}

}  // namespace gfdt::app

#include "response_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/io/json.hpp"
#include "gfdt/statistics/distribution.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

constexpr std::size_t shown_times = 20;
constexpr double false_alarm = 1e-3;

constexpr double tolerated_share = 0.01;

/// How far the response of an observable is off the perturbed ensemble, in standard errors; NaN where it cannot be
/// told.
double off_by(const ResponseCurves& curves, std::size_t m, std::size_t i) {
  const std::vector<Estimate>& response = curves.response[m];
  const Estimate& check = curves.check[m][i];
  double largest = 0;
  for (const Estimate& at : response) largest = std::max(largest, std::abs(at.value));
  const std::size_t before = i > 0 ? i - 1 : 0, after = std::min(i + 1, response.size() - 1);
  const double slope =
      std::abs(response[after].value - response[before].value) / (curves.time[after] - curves.time[before]);
  const double off = response[i].value - check.value, tolerated = tolerated_share * largest + slope * curves.step;
  return std::copysign(std::max(0.0, std::abs(off) - tolerated), off) /
         std::hypot(response[i].standard_error, check.standard_error);
}

using Json = nlohmann::ordered_json;
Json part(const Estimate& estimate, double Estimate::*which) { return io::json_number(estimate.*which); }
template <class T>
Json part(const std::vector<T>& estimates, double Estimate::*which) {
  Json list = Json::array();
  for (const T& estimate : estimates) list.push_back(part(estimate, which));
  return list;
}
template <class T>
void put_both(Json& json, const std::string& name, const T& estimates) {
  json[name] = part(estimates, &Estimate::value);
  json[name + "_error"] = part(estimates, &Estimate::standard_error);
}

}  // namespace

void put(Json& json, const std::string& name, const std::vector<Estimate>& estimates) {
  put_both(json, name, estimates);
}
void put(Json& json, const std::string& name, const std::vector<std::vector<Estimate>>& estimates) {
  put_both(json, name, estimates);
}
void put(Json& json, const std::string& name, const std::vector<std::vector<std::vector<Estimate>>>& estimates) {
  put_both(json, name, estimates);
}

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
      const Estimate& response = curves.response[m][i];
      row.push_back(with_error(response.value, response.standard_error));
      if (curves.check.empty()) continue;
      const Estimate& check = curves.check[m][i];
      const double off = off_by(curves, m, i);
      row.push_back(std::isfinite(check.value) ? with_error(check.value, check.standard_error) : "");
      row.push_back(!std::isfinite(off) ? "" : off == 0 ? "0 σ" : fmt::format("{:+.1f} σ", off));
    }
    table.add(row);
  }
  table.print(file);
}

statistics::Finding agreement(const ResponseCurves& curves) {
  double most = 0, when = 0;
  std::string which;
  std::size_t compared = 0;
  for (std::size_t m = 0; m < curves.check.size(); ++m)
    for (std::size_t i = 0; i < curves.time.size(); ++i) {
      const double off = std::abs(off_by(curves, m, i));
      if (!std::isfinite(off)) continue;
      ++compared;
      if (off <= most) continue;
      most = off;
      when = curves.time[i];
      which = curves.observables[m];
    }
  statistics::Finding finding{.check = "perturbed ensemble"};
  const double allowed =
      statistics::student_t_interval(1 - false_alarm / std::max(1.0, static_cast<double>(compared)), 31);
  finding.passed = most <= allowed;
  if (compared == 0)
    finding.verdict = "There is nothing to compare: neither the responses nor the ensemble has an error bar.";
  else if (finding.passed)
    finding.verdict =
        fmt::format("Responses and perturbed ensemble agree: at most {:.1f} standard errors apart.", most);
  else
    finding.verdict = fmt::format(
        "The response of {} and the perturbed ensemble are {:.1f} standard errors apart at {:.4g}.", which, most, when);
  if (!finding.passed)
    finding.advice =
        "The score may be off ('gfdt score' certifies it), the time step too large, or the change too large for a "
        "linear response: try a smaller one.";
  return finding;
}

}  // namespace gfdt::app

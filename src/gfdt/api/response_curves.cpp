#include "gfdt/api/response_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gfdt/data/json.hpp"
#include "gfdt/statistics/distribution.hpp"

namespace gfdt::api {
namespace {

constexpr double false_alarm = 1e-3;
constexpr double tolerated_share = 0.01;

using Json = nlohmann::ordered_json;
Json part(const Estimate& estimate, double Estimate::*which) { return data::json_number(estimate.*which); }
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

double ResponseCurves::off_by(std::size_t observable, std::size_t i) const {
  const std::vector<Estimate>& curve = response[observable];
  const Estimate& checked = check[observable][i];
  double largest = 0;
  for (const Estimate& at : curve) largest = std::max(largest, std::abs(at.value));
  const std::size_t before = i > 0 ? i - 1 : 0, after = std::min(i + 1, curve.size() - 1);
  const double slope = std::abs(curve[after].value - curve[before].value) / (time[after] - time[before]);
  const double off = curve[i].value - checked.value, tolerated = tolerated_share * largest + slope * step;
  return std::copysign(std::max(0.0, std::abs(off) - tolerated), off) /
         std::hypot(curve[i].standard_error, checked.standard_error);
}

Diagnostic agreement(const ResponseCurves& curves) {
  double most = 0, when = 0;
  std::string which;
  std::size_t compared = 0;
  for (std::size_t m = 0; m < curves.check.size(); ++m)
    for (std::size_t i = 0; i < curves.time.size(); ++i) {
      const double off = std::abs(curves.off_by(m, i));
      if (!std::isfinite(off)) continue;
      ++compared;
      if (off <= most) continue;
      most = off;
      when = curves.time[i];
      which = curves.observables[m];
    }
  Diagnostic diagnostic{.check = Check::perturbed_ensemble};
  const double allowed =
      statistics::student_t_interval(1 - false_alarm / std::max(1.0, static_cast<double>(compared)), 31);
  diagnostic.verdict = most <= allowed ? Verdict::passed : Verdict::warning;
  if (compared == 0)
    diagnostic.text = "There is nothing to compare: neither the responses nor the ensemble has an error bar.";
  else if (diagnostic.passed())
    diagnostic.text =
        fmt::format("Responses and perturbed ensemble agree: at most {:.1f} standard errors apart.", most);
  else
    diagnostic.text = fmt::format(
        "The response of {} and the perturbed ensemble are {:.1f} standard errors apart at {:.4g}.", which, most, when);
  if (!diagnostic.passed())
    diagnostic.remedy =
        "The score may be off ('gfdt score' certifies it), the time step too large, or the change too large for a "
        "linear response: try a smaller one.";
  return diagnostic;
}

}  // namespace gfdt::api

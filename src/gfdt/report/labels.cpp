#include "gfdt/report/labels.hpp"

#include <array>
#include <utility>

namespace gfdt::report {

std::string method_label(const std::string& name) {
  static constexpr std::array<std::pair<const char*, const char*>, 13> labels{{
      {"auto", "automatic choice"},
      {"gfdt", "fluctuation-dissipation theorem"},
      {"exact", "exact score"},
      {"gaussian", "Gaussian score"},
      {"kgmm", "KGMM score"},
      {"dsm", "denoising score"},
      {"patch", "patch score"},
      {"unet", "U-Net score"},
      {"control-variate", "control variate"},
      {"finite-difference", "finite differences"},
      {"likelihood-ratio", "likelihood ratio"},
      {"ensemble-kalman", "ensemble Kalman inversion"},
      {"gauss-newton", "Gauss–Newton method"},
  }};
  for (const auto& [key, label] : labels)
    if (name == key) return label;
  return name;
}

std::vector<std::string> calibration_labels(const RunDocuments& run) {
  std::vector<std::string> labels;
  for (const CalibrationDocuments& calibration : run.calibrations)
    labels.push_back(run.calibrations.size() == 1 ? "calibrated model"
                     : calibration.name == "auto" ? method_label(calibration.name)
                                                  : calibration.name);
  return labels;
}

std::string calibration_prefix(const RunDocuments& run, std::size_t n) {
  if (run.calibrations.size() < 2) return {};
  std::string label = calibration_labels(run)[n] + ": ";
  if (label[0] >= 'a' && label[0] <= 'z') label[0] = static_cast<char>(label[0] - 'a' + 'A');
  return label;
}

}  // namespace gfdt::report

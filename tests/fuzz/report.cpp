// The documents of a run, changed at places that the bytes choose: there must be a page, or an Error with a sentence.
#include <cstdint>
#include <span>

#include "../report/sample_run.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/report/report.hpp"

namespace {

using namespace gfdt;
using report::Json;

class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : left_(bytes) {}

  bool empty() const { return left_.empty(); }
  std::size_t below(std::size_t bound) {
    if (left_.empty()) return 0;
    const std::size_t value = left_.front() % bound;
    left_ = left_.subspan(1);
    return value;
  }

 private:
  std::span<const std::uint8_t> left_;
};

/// An entry of a document, on any level.
Json& chosen(Json& document, Bytes& bytes) {
  Json* at = &document;
  while (at->is_structured() && !at->empty() && bytes.below(8) > 0) {
    auto child = at->begin();
    std::advance(child, static_cast<std::ptrdiff_t>(bytes.below(at->size())));
    at = &*child;
  }
  return *at;
}

void change(Json& entry, Bytes& bytes) {
  const Json kinds[] = {nullptr,
                        true,
                        0,
                        -1,
                        1e308,
                        1e-308,
                        9007199254740993,
                        "",
                        "inf",
                        "x",
                        Json::array(),
                        Json::object(),
                        Json::array({1.0}),
                        {{"x", 1.0}}};
  switch (bytes.below(4)) {
    case 0:
      if (entry.is_array() && !entry.empty()) entry.erase(entry.size() - 1);
      break;
    case 1:
      if (entry.is_array() && !entry.empty()) entry.push_back(entry.back());
      break;
    default:
      entry = kinds[bytes.below(std::size(kinds))];
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes({data, size});
  report::RunDocuments run;
  static const Json calibration = report::sample_calibration(), predictive = report::sample_predictive(),
                    jacobian = report::sample_jacobian();
  run.calibrations.push_back({"kgmm", calibration, predictive});
  if (bytes.below(2) > 0) run.calibrations.push_back({"gaussian", calibration, {}});
  if (bytes.below(2) > 0) run.jacobian = jacobian;
  while (!bytes.empty()) {
    report::CalibrationDocuments& first = run.calibrations.front();
    Json* const documents[] = {&first.result, &first.predictive, &run.jacobian};
    change(chosen(*documents[bytes.below(std::size(documents))], bytes), bytes);
  }
  try {
    report::html(report::page_of(run));
  } catch (const Error&) {
  }
  return 0;
}

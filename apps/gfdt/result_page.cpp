#include "result_page.hpp"
#include "styled_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gfdt/base/error.hpp"
#include "gfdt/data/sealed_json.hpp"
#include "gfdt/data/write_atomically.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/report/report.hpp"

namespace gfdt::app {
namespace {

template <class Work>
void without_failure(Work work) {
  ranks::run_on_root("the writing of a report page", [&] {
    try {
      work();
    } catch (const std::exception& error) {
      say(stderr, "There is no report page. {}\n", error.what());
    }
  });
}

}  // namespace

void write_page(const CommonOptions& common, const std::filesystem::path& folder) {
  if (!common.report) return;
  without_failure([&] {
    const std::filesystem::path page = report::write_report(folder);
    if (common.talks()) say(common.text(), "  Report: {}\n", page.string());
  });
}

void write_page(const CommonOptions& common, const nlohmann::ordered_json& result, const std::string& name,
                const std::filesystem::path& otherwise) {
  if (!common.out.empty()) return write_page(common, common.out);
  if (!common.report) return;
  without_failure([&] {
    std::error_code problem;
    std::filesystem::create_directories(otherwise, problem);
    if (problem) throw Error(fmt::format("The folder '{}' cannot be made: {}.", otherwise.string(), problem.message()));
    data::write_file_atomically(otherwise / name, data::sealed_text(result));
    write_page(common, otherwise);
  });
}

std::filesystem::path folder_beside(const std::string& problem_file, const std::string& what) {
  return fmt::format("{}-{}", std::filesystem::path(problem_file).stem().string(), what);
}

}  // namespace gfdt::app

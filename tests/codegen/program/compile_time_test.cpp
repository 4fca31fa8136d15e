#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>

#include "formulas.hpp"
#include "gfdt/codegen/native/native_source.hpp"
#include "lorenz96.hpp"
#include "surroundings.hpp"

namespace gfdt::codegen {
namespace {

/// Processor time of child processes, which depends little on the load of the machine.
double compiler_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double seconds_to_compile(const std::string& source) {
  TemporaryFolder folder;
  Variable cache("GFDT_CACHE", (folder / "cache").string());
  const double before = compiler_seconds();
  compile_and_load(source);
  return compiler_seconds() - before;
}

TEST(CompileTime, DoesNotDependOnTheNumberOfSites) {
  if (find_compiler().empty()) GTEST_SKIP() << "there is no compiler";
  const double small = seconds_to_compile(step_source(lower(euler_plan(36)), "float", 16));
  const double large = seconds_to_compile(step_source(lower(euler_plan(4096)), "float", 16));
  RecordProperty("seconds_36_sites", std::to_string(small));
  RecordProperty("seconds_4096_sites", std::to_string(large));
  EXPECT_LT(large, 2 * small);
  EXPECT_LT(small, 2 * large);
  EXPECT_LT(small, 10);
}

TEST(CompileTime, GrowsInProportionToTheLengthOfFormulas) {
  if (find_compiler().empty()) GTEST_SKIP() << "there is no compiler";
  const auto seconds = [](int count) {
    Formulas f;
    f.state("x");
    for (int i = 1; i <= count; ++i) f.output("sin(" + std::to_string(0.01 * i) + "*x)");
    return seconds_to_compile(evaluation_source(lower(f.plan()), "double", 16));
  };
  const double small = seconds(1000), large = seconds(4000);
  RecordProperty("seconds_1000_sines", std::to_string(small));
  RecordProperty("seconds_4000_sines", std::to_string(large));
  EXPECT_LT(large, 8 * small);
  EXPECT_LT(large, 15);
}

TEST(CompileTime, IsNotSpentAgainForCachedCode) {
  if (find_compiler().empty()) GTEST_SKIP() << "there is no compiler";
  const std::string source = step_source(lower(euler_plan(36)), "float", 16);
  compile_and_load(source);
  double shortest = HUGE_VAL;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    compile_and_load(source);
    shortest = std::min(shortest, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  RecordProperty("seconds_to_load", std::to_string(shortest));
  EXPECT_LT(shortest, 0.05);
}

}  // namespace
}  // namespace gfdt::codegen

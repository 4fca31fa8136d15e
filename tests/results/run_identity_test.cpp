#include "gfdt/results/run_folder/run_identity.hpp"

#include <gmock/gmock.h>

#include "../codegen/program/surroundings.hpp"

namespace gfdt::results {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

const std::string decay = "[model]\nstate = ['x']\nparameters.a = 1\ndrift.x = '-a*x'\ndiffusion.x = 1\n";

/// The identity of a run with a compiler that reports this version.
Json identity_with_compiler(const TemporaryFolder& folder, const std::string& version) {
  const auto compiler = folder.file(version, "#!/bin/sh\necho compiler " + version + "\n");
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  const codegen::Variable chosen("GFDT_CXX", compiler.string());
  return run_identity(problem::parse_problem(decay, "p.toml"));
}

TEST(RunIdentity, IncludesTheVersionOfTheCompiler) {
  const TemporaryFolder folder;
  const Json one = identity_with_compiler(folder, "1.0"), two = identity_with_compiler(folder, "2.0");
  EXPECT_THAT(one["compiler"].get<std::string>(), HasSubstr("compiler 1.0 -std=c++20"));
  EXPECT_NE(identity_hash(one), identity_hash(two));
  EXPECT_THAT(identity_difference(one, two), HasSubstr("compiler is \"compiler 1.0"));
}

TEST(RunIdentity, WithInterpretedFormulasHasNoCompiler) {
  problem::Problem problem = problem::parse_problem(decay, "p.toml");
  problem.simulation.backend = codegen::Backend::interpreter;
  EXPECT_FALSE(run_identity(problem).contains("compiler"));
}

TEST(RunIdentity, DifferencesOfLongListsAreShownAsExcerpts) {
  Json kept = Json::array(), asked = Json::array();
  for (int i = 0; i < 100; ++i) {
    kept.push_back(i);
    asked.push_back(i == 80 ? -1 : i);
  }
  const std::string difference = identity_difference({{"set", kept}}, {{"set", asked}});
  EXPECT_THAT(difference, HasSubstr("79,80,81"));
  EXPECT_THAT(difference, HasSubstr("79,-1,81"));
  EXPECT_THAT(difference, Not(HasSubstr("10,11")));
  EXPECT_LT(difference.size(), 250u);
}

}  // namespace
}  // namespace gfdt::results

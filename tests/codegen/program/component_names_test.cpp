#include "gfdt/codegen/program/component_names.hpp"

#include <gmock/gmock.h>

#include "../../symbolic/model/paper_models.hpp"

namespace gfdt::codegen {
namespace {

using symbolic::build;
using testing::ElementsAre;

TEST(ComponentNames, FollowTheOrderOfRows) {
  EXPECT_THAT(component_names(build(symbolic::triad())), ElementsAre("u1", "u2", "tau"));
  symbolic::Description description;
  description.index("k", 2).index("j", 3).state("X[k]", "-X[k]", "1").state("Y[j,k]", "-Y[j,k]", "1");
  EXPECT_THAT(component_names(build(description)),
              ElementsAre("X[0]", "X[1]", "Y[0,0]", "Y[1,0]", "Y[2,0]", "Y[0,1]", "Y[1,1]", "Y[2,1]"));
}

}  // namespace
}  // namespace gfdt::codegen

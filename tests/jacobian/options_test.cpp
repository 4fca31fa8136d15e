#include "gfdt/jacobian/options.hpp"

#include <gmock/gmock.h>

#include "gfdt/jacobian/jacobian.hpp"

namespace gfdt::jacobian {
namespace {

using ::testing::HasSubstr;

TEST(ResponseOptions, AreFineAsTheyCome) { EXPECT_EQ(Options{}.problem(), ""); }

TEST(ResponseOptions, SayWhatIsWrong) {
  EXPECT_THAT((Options{.window = Window{5, 2}}.problem()), HasSubstr("window"));
  EXPECT_THAT((Options{.samples = 3}.problem()), HasSubstr("samples"));
  EXPECT_THAT((Options{.steps = {{"F0", -1.0}}}.problem()), HasSubstr("'F0'"));
  EXPECT_THAT((Options{.relative_step = 0.0}.problem()), HasSubstr("relative_step"));
}

TEST(ResponseOptions, MethodsHaveNames) {
  for (const std::string& text : method_names()) EXPECT_EQ(name(*method_named(text)), text);
  EXPECT_FALSE(method_named("adjoint"));
}

TEST(ColumnErrors, AreRelativeWithRowsInStandardDeviations) {
  const std::vector<double> errors = column_errors({1.1, 2.0, 3.0, 8.0}, {1.0, 2.0, 3.0, 4.0}, {1.0, 2.0});
  EXPECT_NEAR(errors[0], 0.1 / std::sqrt(1 + 2.25), 1e-12);
  EXPECT_NEAR(errors[1], 2 / std::sqrt(8.0), 1e-12);
}

}  // namespace
}  // namespace gfdt::jacobian

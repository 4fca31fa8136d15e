#include "gfdt/problem/tables/targets_table.hpp"

#include <gmock/gmock.h>

namespace gfdt::problem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const std::string head = R"toml([model]
state = ["x", "X[k]"]
sites = { k = 4 }
parameters = { F0 = 0.5, sigma = 1 }
drift = { x = "F0 - x", X = "-X[k]" }
diffusion = { x = "sigma" }
[observables]
m = "x"
v = "x^2"
[targets]
)toml";

Problem read(const std::string& targets, const std::string& start = head) {
  return parse_problem(start + targets, "p.toml", {}, "/there");
}

std::string failure(const std::string& targets, const std::string& start = head) {
  try {
    read(targets, start);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TargetsTable, ACovarianceReplacesTheErrorsOfAllTargets) {
  const TargetTable table = read("v = { value = 2 }\nm = 1\ncovariance = [[4, 1], [1, 9]]\n").targets;
  ASSERT_EQ(table.values.size(), 2u);
  EXPECT_EQ(table.values[0].observable, "v");
  EXPECT_EQ(table.values[1].value, 1);
  EXPECT_FALSE(table.values[0].std);
  EXPECT_THAT(table.covariance, ElementsAre(4, 1, 1, 9));
}

TEST(TargetsTable, InvalidCovariancesAreRejectedWithTheirPosition) {
  const std::string two = "v = 2\nm = 1\ncovariance = ";
  EXPECT_THAT(failure("v = 2\ncovariance = [[1, 0]]\n"), HasSubstr("p.toml:12:15: 2 numbers for 1 target"));
  EXPECT_THAT(failure(two + "[[1, 0]]"), HasSubstr("p.toml:13:14: 1 row for 2 targets"));
  EXPECT_THAT(failure(two + "[[1, 0], [0]]"), HasSubstr("p.toml:13:23: 1 number for 2 targets"));
  EXPECT_THAT(failure(two + "[[1, 0], 0]"), HasSubstr("p.toml:13:23: targets.covariance: expected an array"));
  EXPECT_THAT(failure(two + "[[1, 0.5], [0.4, 1]]"),
              HasSubstr("p.toml:13:14: The covariance of the targets is not symm"));
  EXPECT_THAT(failure(two + "[[1, 2], [2, 1]]"), HasSubstr("not positive definite"));
  EXPECT_THAT(failure(two + "[[1, nan], [0, 1]]"), HasSubstr("p.toml:13:19: targets.covariance: expected a finite"));
  EXPECT_THAT(failure("v = { value = 1, std = 1 }\ncovariance = [[1]]"), HasSubstr("p.toml:11:18: Errors are given"));
  EXPECT_THAT(failure("covariance = [[1]]"), HasSubstr("p.toml:11:1: There is no target with a value"));
}

TEST(TargetsTable, DataPathsAreRelativeAndColumnsAreBound) {
  const TargetTable table =
      read(
          "data = 'd/n.csv'\ncolumns = { x = 'nino34', \"X[3]\" = 'b', m = 'c' }\nmissing = -99.9\ninterval = 0.5\n"
          "v = { value = 1, std = 0.1 }")
          .targets;
  ASSERT_TRUE(table.data);
  EXPECT_EQ(table.data->file, "/there/d/n.csv");
  EXPECT_THAT(table.data->columns, ElementsAre(Pair("X[3]", "b"), Pair("m", "c"), Pair("x", "nino34")));
  EXPECT_EQ(table.data->missing, -99.9);
  EXPECT_EQ(table.data->interval, 0.5);
  EXPECT_EQ(table.data->origin.line, 11);
  EXPECT_EQ(table.values.size(), 1u);
}

TEST(TargetsTable, InvalidBindingsAreRejected) {
  EXPECT_THAT(failure("data = 'a'\ncolumns = { \"X[4]\" = 'b' }"),
              HasSubstr("p.toml:12:14: 'X[4]' is neither a state"));
  EXPECT_THAT(failure("data = 'a'\ncolumns = { x = 1 }"), HasSubstr("expected a string"));
  EXPECT_THAT(failure("data = 'a'\ncolumns = { 'X[1]' = 'b', 'X[ 1]' = 'c' }"), HasSubstr("bound twice"));
  EXPECT_THAT(failure("data = ''"), HasSubstr("empty"));
  EXPECT_THAT(failure("data = 3"), HasSubstr("expected a string"));
  EXPECT_THAT(failure("columns = { x = 'a' }"), HasSubstr("p.toml:11:1: 'columns' is an option of data files"));
  EXPECT_THAT(failure("missing = -9"), HasSubstr("'missing' is an option of data files"));
  EXPECT_THAT(failure("interval = 1"), HasSubstr("'interval' is an option of data files"));
  EXPECT_THAT(failure("data = 'a.csv'\ninterval = 0"), HasSubstr("must be positive"));
  EXPECT_THAT(failure("dta = 'a.csv'"), HasSubstr("Did you mean 'data'?"));
}

TEST(TargetsTable, AReferenceNamesTheParametersThatDiffer) {
  const TargetTable table =
      read("m = { value = 1, std = 1 }\n[targets.reference]\nparameters = { F0 = 0.6 }\nlength = 50\n").targets;
  ASSERT_TRUE(table.reference);
  EXPECT_THAT(table.reference->parameters, ElementsAre(Pair("F0", 0.6)));
  EXPECT_EQ(table.reference->length, 50);
  EXPECT_EQ(table.values.size(), 1u);
  EXPECT_TRUE(read("reference = {}").targets.reference);
}

TEST(TargetsTable, InvalidReferenceRunsAreRejected) {
  EXPECT_THAT(failure("reference.parameters = { F1 = 0.6 }"),
              HasSubstr("p.toml:11:26: 'F1' is not a parameter of the model. Did you mean 'F0'?"));
  EXPECT_THAT(failure("reference.length = -1"), HasSubstr("p.toml:11:20: The length is -1; it must be positive."));
  EXPECT_THAT(failure("reference.lenth = 1"), HasSubstr("Did you mean 'length'?"));
  EXPECT_THAT(failure("data = 'a.csv'\nreference.length = 1"), HasSubstr("not from both"));
}

TEST(TargetsTable, AnObservableMayHaveTheNameOfASetting) {
  const std::string start =
      "model = { state = ['x'], drift.x = '-x' }\n[observables]\ndata = 'x'\ncolumns = 'x^2'\n"
      "missing = 'x^3'\nreference = 'x^4'\ncovariance = 'x^5'\n[targets]\n";
  const TargetTable values = read(
                                 "data = { value = 1, std = 1 }\ncolumns = { value = 2, std = 1 }\n"
                                 "missing = { value = 3, std = 1 }\nreference = { value = 4, std = 1 }\n"
                                 "covariance = { value = 5, std = 1 }\n",
                                 start)
                                 .targets;
  EXPECT_EQ(values.values.size(), 5u);
  EXPECT_FALSE(values.data || values.reference);
  const TargetTable settings = read("data = 'a.csv'\ncolumns = { data = 'value' }\nmissing = 3\n", start).targets;
  EXPECT_TRUE(settings.values.empty());
  EXPECT_EQ(settings.data->missing, 3);
  EXPECT_TRUE(read("reference.length = 3", start).targets.reference);
  EXPECT_THAT(read("missing = 3\ncovariance = [[2]]", start).targets.covariance, ElementsAre(2));
}

}  // namespace
}  // namespace gfdt::problem

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "paper_models.hpp"

namespace gfdt::symbolic {
namespace {

struct Case {
  const char* name;
  std::function<Description()> description;
  const char* message;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// A valid lattice model, which each case makes invalid.
Description good() {
  Description d;
  d.index("k", 4).index("j", 3).parameter("alpha", 1);
  return d.state("X[k]", "-alpha*X[k]", "1").state("y", "-y");
}

Description with(const std::function<void(Description&)>& change) {
  Description d = good();
  change(d);
  return d;
}

const double nan_value = std::nan("");

// clang-format off
const Case cases[] = {
    {"NoState", [] { return Description(); }, "The model has no state variable."},
    {"UnknownName", [] { return with([](auto& d) { d.drift[0].formula = "-alhpa*X[k]"; }); },
     "The name alhpa is not known. Did you mean 'alpha'?"},
    {"UnknownFormulaName", [] { return with([](auto& d) { d.formula("closure", "1").drift[1].formula = "-y - closrue"; }); },
     "Did you mean 'closure'?"},
    {"UnknownStateOfADrift", [] { return with([](auto& d) { d.drift.push_back({"Y", "1"}); }); },
     "'Y' is not a state of the model. Did you mean 'y'?"},
    {"MissingDrift", [] { return with([](auto& d) { d.states.emplace_back("z"); }); }, "The state 'z' has no drift."},
    {"DriftTwice", [] { return with([](auto& d) { d.drift.push_back({"X[k]", "1"}); }); },
     "The drift of 'X[k]' is given twice."},
    {"StateTwice", [] { return with([](auto& d) { d.state("y", "1"); }); }, "The name 'y' is defined twice."},
    {"StateAndParameter", [] { return with([](auto& d) { d.parameter("y", 1); }); }, "The name 'y' is defined twice."},
    {"StateAndIndex", [] { return with([](auto& d) { d.state("k", "1"); }); }, "The name 'k' is defined twice."},
    {"FormulaAndState", [] { return with([](auto& d) { d.formula("X[k]", "1"); }); }, "The name 'X' is defined twice."},
    {"FormulaTwice", [] { return with([](auto& d) { d.formula("f", "1").formula("f[k]", "1"); }); },
     "The name 'f' is defined twice."},
    {"ObservableTwice", [] { return with([](auto& d) { d.observable("m", "y").observable("m", "y"); }); },
     "The name 'm' is defined twice."},
    {"ObservableOfAStateTwice", [] { return with([](auto& d) { d.observable("y", "y").observable("y", "y"); }); },
     "The name 'y' is defined twice."},
    {"ObservableAndState", [] { return with([](auto& d) { d.observable("y", "y^2"); }); },
     "The name 'y' is defined twice."},
    {"ObservableAndField", [] { return with([](auto& d) { d.observable("X", "X"); }); },
     "The name 'X' is defined twice."},
    {"ReservedObservableTwice", [] { return with([](auto& d) { d.observable("mean", "y").observable("mean", "y"); }); },
     "The name 'mean' is defined twice."},
    {"ObservableAndParameter", [] { return with([](auto& d) { d.observable("alpha", "y"); }); },
     "The name 'alpha' is defined twice."},
    {"ReservedState", [] { return with([](auto& d) { d.state("exp", "1"); }); },
     "'exp' is a word of the formula language and cannot be a name."},
    {"ReservedParameter", [] { return with([](auto& d) { d.parameter("pi", 3); }); },
     "'pi' is a word of the formula language and cannot be a name."},
    {"ReservedIndex", [] { return with([](auto& d) { d.index("mean", 3); }); },
     "'mean' is a word of the formula language and cannot be a name."},
    {"ReservedField", [] { return with([](auto& d) { d.observable("mean[k]", "X[k]"); }); },
     "'mean' is a word of the formula language and cannot be a name."},
    {"NotAName", [] { return with([](auto& d) { d.parameter("2a", 3); }); }, "'2a' is not a name"},
    {"NameWithADot", [] { return with([](auto& d) { d.parameter("s.x", 3); }); }, "'s.x' is not a name"},
    {"EmptyName", [] { return with([](auto& d) { d.parameter("", 3); }); }, "'' is not a name"},
    {"BelowTheLowerBound", [] { return with([](auto& d) { d.parameters[0].lower = 2; }); },
     "The value 1 of parameter 'alpha' is not within its bounds [2, inf]."},
    {"AboveTheUpperBound", [] { return with([](auto& d) { d.parameters[0].upper = 0.5; }); },
     "The value 1 of parameter 'alpha' is not within its bounds [-inf, 0.5]."},
    {"BoundsTheWrongWayRound", [] { return with([](auto& d) { d.parameters[0].lower = 2; d.parameters[0].upper = 0; }); },
     "not within its bounds [2, 0]"},
    {"BoundIsNan", [] { return with([](auto& d) { d.parameters[0].upper = nan_value; }); }, "not within its bounds"},
    {"ParameterIsNan", [] { return with([](auto& d) { d.parameter("b", nan_value); }); },
     "The value of parameter 'b' is not a finite number."},
    {"ParameterIsInfinite", [] { return with([](auto& d) { d.parameter("b", HUGE_VAL); }); },
     "The value of parameter 'b' is not a finite number."},
    {"NoSites", [] { return with([](auto& d) { d.index("l", 0); }); }, "The number of sites of 'l' is 0"},
    {"TooManySites", [] { return with([](auto& d) { d.index("l", 2'000'000'000); }); }, "it must be between 1 and"},
    {"UnknownIndex", [] { return with([](auto& d) { d.index("row", 3).state("Z[rwo]", "1"); }); },
     "The index 'rwo' of 'Z[rwo]' is not among the model's sites. Did you mean 'row'?"},
    {"IndexTwice", [] { return with([](auto& d) { d.state("Z[k,k]", "1"); }); }, "'Z[k,k]' names the index 'k' twice."},
    {"ThreeIndices", [] { return with([](auto& d) { d.index("l", 2).state("Z[j,k,l]", "1"); }); },
     "'Z[j,k,l]' has 3 indices; two is the most."},
    {"NoClosingBracket", [] { return with([](auto& d) { d.state("Z[k", "1"); }); }, "'Z[k' lacks its closing bracket."},
    {"EmptyBrackets", [] { return with([](auto& d) { d.state("Z[]", "1"); }); }, "The index '' of 'Z[]'"},
    {"IndexNotOpen", [] { return with([](auto& d) { d.drift[1].formula = "-X[k]"; }); },
     "This formula is not one per site of k"},
    {"WrongIndexInAFormula", [] { return with([](auto& d) { d.drift[0].formula = "-X[j]"; }); }, "X is written X[k]"},
    {"SelfReference", [] { return with([](auto& d) { d.formula("f", "1 + f").drift[1].formula = "f"; }); },
     "The definition of 'f' is recursive: f needs f."},
    {"Recursion", [] { return with([](auto& d) { d.formula("f", "g + 1").formula("g", "2*h").formula("h", "f^2"); }); },
     "The definition of 'f' is recursive: f needs g needs h needs f."},
    {"RecursionBehindAnInnocent", [] { return with([](auto& d) { d.formula("a", "f").formula("f", "g").formula("g", "f"); }); },
     "The definition of 'f' is recursive: f needs g needs f."},
    {"RecursiveObservables", [] { return with([](auto& d) { d.observable("f", "g").observable("g", "f"); }); },
     "The definition of 'f' is recursive: f needs g needs f."},
    {"UnusedFormulaWithAMistake", [] { return with([](auto& d) { d.formula("f", "1 + nothing"); }); },
     "The name nothing is not known."},
    {"DriftUsesAnObservable", [] { return with([](auto& d) { d.observable("m", "y").drift[1].formula = "-m"; }); },
     "The name m is not known."},
    {"ObservableOfAField", [] { return with([](auto& d) { d.observable("f", "X[k]"); }); },
     "This formula is not one per site of k"},
    {"ObservablePerSite", [] { return with([](auto& d) { d.observable("f[k]", "X[k]"); }); },
     "The observable 'f[k]' is one number; average over sites with mean(k, ...)."},
    {"ObservableCallsItself", [] { return with([](auto& d) { d.observable("max", "max + 1"); }); },
     "max is a function"},
    {"InitialOfNoState", [] { return with([](auto& d) { d.initial.push_back({"x", {}}); }); },
     "'x' is not a state of the model."},
    {"InitialTwice", [] { return with([](auto& d) { d.initial = {{"X", {}}, {"X[k]", {}}}; }); },
     "The initial distribution of 'X[k]' is given twice."},
    {"InitialStdNegative", [] { return with([](auto& d) { d.initial.push_back({"X", {0, -1}}); }); },
     "needs a finite mean and a finite std that is not negative."},
    {"InitialMeanNan", [] { return with([](auto& d) { d.initial.push_back({"X", {nan_value, 1}}); }); },
     "needs a finite mean and a finite std that is not negative."},
};
// clang-format on

class BuildError : public testing::TestWithParam<Case> {};

TEST_P(BuildError, MessageDescribesTheError) {
  EXPECT_THAT(complaint(GetParam().description()), testing::HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(All, BuildError, testing::ValuesIn(cases), [](const auto& i) { return i.param.name; });

TEST(BuildErrorPlace, IsThePositionOfTheError) {
  Description d = good();
  d.drift[1].formula = Text("-y + 2*nothing", Origin{"model.toml", 12, 6, "y = \"-y + 2*nothing\""});
  try {
    build(d);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().file, "model.toml");
    EXPECT_EQ(error.place().line, 12);
    EXPECT_EQ(error.place().column, 6 + 7);
  }
}

TEST(BuildErrorPlace, ValidModelHasNoError) { EXPECT_EQ(complaint(good()), ""); }

TEST(UnknownParameter, MessageSuggestsASimilarName) {
  Model m = build(good());
  EXPECT_THAT([&] { m.parameter("alpah"); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("Did you mean 'alpha'?")));
}

}  // namespace
}  // namespace gfdt::symbolic

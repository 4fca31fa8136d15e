#include "gfdt/base/nearest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gfdt {
namespace {

const std::vector<std::string> keys{"members", "length", "burn_in", "dt", "seed"};

TEST(Nearest, FindsTheCandidateForATypingError) {
  EXPECT_EQ(nearest("membres", keys), "members");
  EXPECT_EQ(nearest("lenght", keys), "length");
  EXPECT_EQ(nearest("burnin", keys), "burn_in");
  EXPECT_EQ(nearest("DT", keys), "dt");
}

TEST(Nearest, ReturnsNothingIfNoCandidateIsClose) {
  EXPECT_EQ(nearest("temperature", keys), "");
  EXPECT_EQ(nearest("xy", keys), "");
  EXPECT_EQ(suggestion("temperature", keys), "");
}

TEST(Nearest, SuggestionIsASentence) { EXPECT_EQ(suggestion("sede", keys), " Did you mean 'seed'?"); }

}  // namespace
}  // namespace gfdt

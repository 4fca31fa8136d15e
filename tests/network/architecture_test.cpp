#include "gfdt/network/architecture.hpp"

#include <gmock/gmock.h>

#include "gfdt/base/error.hpp"

namespace gfdt::network {
namespace {

using ::testing::HasSubstr;

template <class Function>
std::string message(Function function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Architecture, CountsItsParameters) {
  EXPECT_EQ(mlp({3, 100, 50, 3}).parameters(), 5603u);
  EXPECT_EQ(patch(36, 1, 9, {128, 128, 128}).parameters(), 35'713u);
  EXPECT_EQ(unet(36, 1).parameters(), 273'569u);
}

TEST(Architecture, CountsItsOperations) {
  EXPECT_EQ(mlp({3, 100, 50, 3}).operations(), 2 * (300 + 5000 + 150));
  EXPECT_EQ(patch(36, 1, 9, {128, 128, 128}).operations(), 2 * 36 * (19 * 128 + 2 * 128 * 128 + 128));
}

TEST(Architecture, RejectsARingShorterThanTheWindow) {
  EXPECT_THAT(message([] { patch(10, 1, 5, {8}); }), HasSubstr("radius of at most 4"));
  EXPECT_NO_THROW(patch(11, 1, 5, {8}));
}

TEST(Architecture, RejectsARingThatCannotBeHalvedTwice) {
  EXPECT_THAT(message([] { unet(18, 1); }), HasSubstr("multiple of 4"));
  EXPECT_THAT(message([] { unet(16, 1); }), HasSubstr("at least 20"));
  EXPECT_THAT(message([] { unet(36, 1, 12); }), HasSubstr("multiple of 8"));
}

TEST(Architecture, RejectsIncompatibleLayers) {
  const Swish swish;
  EXPECT_THAT(message([] { Architecture{4, 1, {Convolution{2, 3, 1, 1}}}.check(); }), HasSubstr("expects 2 channels"));
  EXPECT_THAT(message([] { Architecture{4, 1, {Convolution{1, 3, 5, 1}}}.check(); }), HasSubstr("kernel of 5 on 4"));
  EXPECT_THAT(message([] { Architecture{5, 1, {Convolution{1, 3, 2, 2}}}.check(); }), HasSubstr("stride of 2 on 5"));
  EXPECT_THAT(message([] { Architecture{4, 6, {GroupNorm{6, 4}}}.check(); }), HasSubstr("4 groups of 6"));
  EXPECT_THAT(message([&] {
                Architecture{4, 1, {swish, UpsampleAndJoin{0}}}.check();
              }),
              HasSubstr("joins 4 sites to 8"));
  EXPECT_THAT(message([&] { Architecture{4, 1, {UpsampleAndJoin{2}}}.check(); }), HasSubstr("does not stand before"));
  EXPECT_THAT(message([] { Architecture{4, 1, {}}.check(); }), HasSubstr("at least one"));
}

}  // namespace
}  // namespace gfdt::network

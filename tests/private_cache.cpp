// Compiled models of the tests go to a folder of their own, never to the user's cache.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <optional>

#include "temporary_folder.hpp"

namespace {

class PrivateCache : public testing::Environment {
  void SetUp() override {
    folder_.emplace();
    ::setenv("GFDT_CACHE", (*folder_ / "cache").c_str(), 1);
  }
  void TearDown() override { folder_.reset(); }
  std::optional<gfdt::TemporaryFolder> folder_;
};

[[maybe_unused]] testing::Environment* const private_cache = testing::AddGlobalTestEnvironment(new PrivateCache);

}  // namespace

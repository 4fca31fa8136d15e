// Compiled models of the tests go to the folder that all tests share, where they are told of it, or to one of their
// own; never to the user's cache.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <optional>

#include "temporary_folder.hpp"

namespace {

class PrivateCache : public testing::Environment {
  void SetUp() override {
    if (const char* shared = ::getenv("GFDT_TEST_CACHE")) {
      ::setenv("GFDT_CACHE", shared, 1);
      return;
    }
    folder_.emplace();
    ::setenv("GFDT_CACHE", (*folder_ / "cache").c_str(), 1);
  }
  void TearDown() override { folder_.reset(); }
  std::optional<gfdt::TemporaryFolder> folder_;
};

[[maybe_unused]] testing::Environment* const private_cache = testing::AddGlobalTestEnvironment(new PrivateCache);

}  // namespace

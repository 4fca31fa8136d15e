#include "gfdt/simulate/memory_use.hpp"

#include <gmock/gmock.h>

#include "gfdt/base/error.hpp"

namespace gfdt::simulate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// A sink that keeps a given number of bytes per member.
class Keeping : public Sink {
 public:
  explicit Keeping(std::size_t bytes) : bytes_(bytes) {}
  std::unique_ptr<BlockSink> open(const Block&) override { return nullptr; }
  void close(const Block&, std::unique_ptr<BlockSink>, const std::vector<bool>&) override {}
  std::size_t bytes_per_member() const override { return bytes_; }

 private:
  std::size_t bytes_;
};

TEST(MemoryUse, AddsTheMemoryOfSinksAndOfTheBlocksOfThreads) {
  Keeping some(1000), more(500);
  Sink* const sinks[] = {&some, &more};
  const Options options{.members = 100, .threads = 4};
  EXPECT_EQ(memory_use(options, sinks, 1'000'000, 3, 16).total(), 100 * 1500 + 4 * 1e6);
  // Four members form one block, which one thread processes.
  EXPECT_EQ(memory_use({.members = 4, .threads = 4}, sinks, 1'000'000, 3, 16).total(), 4 * 1500 + 1e6);
}

TEST(MemoryUse, ErrorSuggestsAValueThatFits) {
  const MemoryUse many{.per_member = 2000, .per_thread = 1e4, .members = 2'000'000, .threads = 2, .states = 1};
  EXPECT_NO_THROW(require_memory(many, 5e9));
  EXPECT_THAT([&] { require_memory(many, 1e9); },
              ThrowsMessage<Error>(AllOf(HasSubstr("about 4.0 GB"), HasSubstr("1.0 GB are available"),
                                         HasSubstr("simulation.members = 490000 would fit"))));
  const MemoryUse threads{.per_member = 2000, .per_thread = 1e9, .members = 64, .threads = 8, .states = 1'000'000};
  EXPECT_THAT([&] { require_memory(threads, 3.5e9); }, ThrowsMessage<Error>(HasSubstr("--threads 3 would fit")));
  EXPECT_THAT([&] { require_memory(threads, 0.5e9); },
              ThrowsMessage<Error>(AllOf(HasSubstr("A model of 490000 states"), HasSubstr("this one has 1000000"))));
  const MemoryUse ring{.per_member = 8e8, .per_thread = 4e8, .members = 4, .threads = 1, .states = 1'000'000};
  EXPECT_THAT([&] { require_memory(ring, 9e8); }, ThrowsMessage<Error>(HasSubstr("A model of 250000 states")));
  EXPECT_THAT([&] { require_memory(threads, 0); }, ThrowsMessage<Error>(HasSubstr("A model of 0 states")));
}

}  // namespace
}  // namespace gfdt::simulate

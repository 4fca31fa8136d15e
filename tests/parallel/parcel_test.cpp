#include "gfdt/parallel/parcel.hpp"

#include <gmock/gmock.h>

namespace gfdt {
namespace {

TEST(Parcel, UnpackReturnsWhatWasPacked) {
  const std::vector<double> numbers{1.5, -0.0, 1e-310};
  const std::vector<bool> flags{true, false, true};
  const std::vector<std::vector<double>> nested{{1}, {}, {2, 3}};
  Packer packer;
  packer.put(42);
  packer.put(numbers);
  packer.put(flags);
  packer.put(std::string("text\0 with a zero", 17));
  packer.put(nested);
  packer.put(std::span<const double>(numbers));
  const std::string bytes = packer.take();

  Unpacker unpacker(bytes);
  EXPECT_EQ(unpacker.get<int>(), 42);
  EXPECT_EQ(unpacker.get<std::vector<double>>(), numbers);
  EXPECT_EQ(unpacker.get<std::vector<bool>>(), flags);
  EXPECT_EQ(unpacker.get<std::string>().size(), 17u);
  EXPECT_EQ(unpacker.get<std::vector<std::vector<double>>>(), nested);
  std::vector<double> room(3);
  unpacker.get(std::span<double>(room));
  EXPECT_EQ(room, numbers);
  EXPECT_TRUE(unpacker.empty());
}

TEST(Parcel, RejectsTruncatedBytesAndWrongSizes) {
  Packer packer;
  packer.put(std::vector<double>{1, 2, 3});
  const std::string bytes = packer.take();
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{8}, bytes.size() - 1}) {
    Unpacker unpacker(std::string_view(bytes).substr(0, size));
    EXPECT_THROW(unpacker.get<std::vector<double>>(), Error) << size;
  }
  std::vector<double> room(2);
  EXPECT_THROW(Unpacker(bytes).get(std::span<double>(room)), Error);
  const std::string absurd(8, '\xff');  // a length that exceeds any memory
  EXPECT_THROW(Unpacker(absurd).get<std::vector<double>>(), Error);
}

}  // namespace
}  // namespace gfdt

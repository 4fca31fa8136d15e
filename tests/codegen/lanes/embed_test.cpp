#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace gfdt::lanes::test {

extern const char* const embedded_lanes;

namespace {

TEST(Embed, ProducesOneTextWithoutIncludes) {
  const std::string text = embedded_lanes;
  EXPECT_EQ(text.find("#include"), std::string::npos);
  EXPECT_EQ(text.find("#pragma once"), std::string::npos);
  EXPECT_NE(text.find("struct VectorOf;"), std::string::npos);
  EXPECT_NE(text.find("V tanh(V x)"), std::string::npos);
  EXPECT_NE(text.find("√½"), std::string::npos);
}

TEST(Embed, EmbeddedTextCompilesByItself) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "gfdt_embed_test";
  std::filesystem::create_directories(folder);
  const auto source = folder / "generated.cpp";
  std::ofstream(source) << embedded_lanes << "using namespace generated;\n"
                        << "extern \"C\" void run(double* x) { store(x, tanh(sin(load(x)) + log(load(x)))); }\n";
  const std::string command = std::string(GFDT_TEST_COMPILER) + " -std=c++20 -O1 -Wall -Wextra -Wpedantic -Werror -c " +
                              source.string() + " -o " + (folder / "generated.o").string();
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace gfdt::lanes::test

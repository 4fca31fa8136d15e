// Its first rank waits for the others at a place where these never come.
#include <fmt/format.h>

#include <cstdio>

#include "gfdt/parallel/ranks.hpp"

int main() {
  using namespace gfdt;
  ranks::start();
  ranks::Outcome outcome;
  try {
    if (ranks::own() == 0)
      ranks::exchange(
          "an exchange of its own", [] { return ""; }, [](int, std::string_view) {});
  } catch (const ranks::EndedElsewhere& ended) {
    outcome = {2, ended.sentence};
  }
  return ranks::end(std::move(outcome), [](const std::string& sentence) { fmt::print(stderr, "{}\n", sentence); });
}

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "gfdt/base/error.hpp"
#include "gfdt/parallel/ranks.hpp"

namespace gfdt::ranks {
namespace {

/// Describes the first difference between two texts.
std::string difference(const std::string& first, const std::string& own, int rank) {
  constexpr std::size_t most = 60;
  const auto shortened = [](std::string_view text) {
    return text.size() > most ? fmt::format("{} …", text.substr(0, most)) : std::string(text);
  };
  const bool lines = first.find('\n') != std::string::npos || own.find('\n') != std::string::npos;
  if (!lines) return fmt::format("rank 0 has '{}' and rank {} has '{}'", shortened(first), rank, shortened(own));
  std::string_view there(first), here(own);
  const auto next = [](std::string_view& rest) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    return line;
  };
  for (int number = 1;; ++number) {
    const std::string_view a = next(there), b = next(here);
    if (a != b || there.empty() != here.empty())
      return fmt::format("line {} is '{}' at rank 0 and '{}' at rank {}", number, shortened(a), shortened(b), rank);
    if (there.empty()) return fmt::format("the end is another one at rank {}", rank);
  }
}

/// FNV-1a hash with one number per round.
std::uint64_t digest_of(std::span<const double> numbers) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const double number : numbers) hash = (hash ^ std::bit_cast<std::uint64_t>(number)) * 0x100000001b3;
  return hash;
}

}  // namespace

void require_same(const std::string& what, const std::string& text) {
  if (count() == 1) return;
  const int here = own();
  const std::string first = broadcast_from_root(what, [&] { return text; });
  std::string found;
  std::vector<int> others;
  exchange(
      what, [&] { return first == text ? std::string() : difference(first, text, here); },
      [&](int rank, std::string_view bytes) {
        if (bytes.empty()) return;
        if (found.empty())
          found = bytes;
        else
          others.push_back(rank);
      });
  if (found.empty()) return;
  std::string more;
  for (const int rank : others) more += fmt::format("{}{}", more.empty() ? "" : ", ", rank);
  if (!more.empty()) more = fmt::format(" (and others at rank{} {})", others.size() > 1 ? "s" : "", more);
  throw Error(fmt::format("All ranks must have the same {}: {}{}.", what, found, more));
}

void require_same(const std::string& what, std::span<const double> numbers) {
  if (count() == 1) return;
  require_same(what, fmt::format("{} numbers, digest {:016x}", numbers.size(), digest_of(numbers)));
}

}  // namespace gfdt::ranks

#include "on_ranks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>
#include <vector>

#include "command.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/codegen/lanes/isa.hpp"
#include "gfdt/data/provenance.hpp"
#include "styled_text.hpp"

namespace gfdt::app {
namespace {

void print_last(const std::string& sentence) { say(stderr, "{}\n", sentence); }

/// Digest of the executable of this process.
std::string digest_of_program() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  if (!file) return "unknown";
  std::uint64_t digest = 0;
  std::vector<char> piece(std::size_t{1} << 20);
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    std::memset(piece.data() + file.gcount(), 0, piece.size() - static_cast<std::size_t>(file.gcount()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(file.gcount()); i += sizeof digest) {
      std::uint64_t word = 0;
      std::memcpy(&word, &piece[i], sizeof word);
      digest = (digest ^ word) * 0x9e3779b97f4a7c15u;
      digest ^= digest >> 29;
    }
  }
  return fmt::format("{:016x}", digest);
}

std::string instruction_set() {
  try {
    return std::string(lanes::name(lanes::best_isa()));
  } catch (const Error& error) {
    return error.what();
  }
}

/// Silences ranks other than the root rank, except for their last message if the root rank has ended.
int silence() {
  const int kept = ::dup(STDERR_FILENO), nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
    if (nothing >= 0) ::dup2(nothing, descriptor);
  return kept;
}

void require_one_program(const std::string& command_line) {
  ranks::require_same("version of gfdt", data::version());
  ranks::require_same("program", digest_of_program());
  ranks::require_same("vector instruction set", instruction_set());
  ranks::require_same("command line", command_line);
}

/// Prints the communication cost of ranks if the environment variable GFDT_TRAFFIC is set.
void print_traffic(const ranks::Traffic& traffic) {
  say(stderr, "traffic of rank 0 of {}: {} exchanges, {} bytes sent, {} bytes received, {:.3f} s waited\n",
      ranks::count(), traffic.exchanges, traffic.sent, traffic.received, traffic.waited);
}

/// Whether this is the first process started by a launcher, if the launcher provides the number.
bool first_of_launched() {
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank == nullptr || std::strcmp(rank, "0") == 0;
}

}  // namespace

int on_ranks(const std::string& command_line, const std::function<ranks::Outcome()>& command) {
  if (!ranks::launched()) {
    const ranks::Outcome outcome = command();
    if (!outcome.sentence.empty()) print_last(outcome.sentence);
    return outcome.status;
  }
  try {
    ranks::start();
  } catch (const Error& error) {
    // The launcher ends all processes as soon as one has failed: the first one reports the reason.
    if (first_of_launched())
      print_last(error.what());
    else
      std::this_thread::sleep_for(std::chrono::seconds(1));
    return Exit::bad_input;
  }
  set_colours(Colours::never);  // a launcher shows a terminal to ranks where there is none
  const int words = ranks::own() > 0 ? silence() : STDERR_FILENO;
  ranks::Outcome outcome;
  try {
    require_one_program(command_line);
    outcome = command();
  } catch (const Error& error) {
    outcome = {Exit::bad_input, error.what()};
  } catch (const ranks::EndedElsewhere& ended) {
    outcome = {Exit::bad_input, ended.sentence};
  }
  if (ranks::own() == 0 && std::getenv("GFDT_TRAFFIC") != nullptr) print_traffic(ranks::traffic());
  return ranks::end(std::move(outcome), [words](const std::string& sentence) {
    std::fflush(stdout);
    ::dup2(words, STDERR_FILENO);
    print_last(sentence);
    std::fflush(stderr);
  });
}

}  // namespace gfdt::app

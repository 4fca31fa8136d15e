#include "progress_bar.hpp"
#include "styled_text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace gfdt::app {
namespace {

constexpr int bar_width = 30;
constexpr double seconds_between_draws = 0.1;
constexpr double seconds_between_lines = 10;

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

ProgressBar::ProgressBar(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() { clear(); }

ProgressListener ProgressBar::listener() {
  if (quiet_) return {};
  return [this](const Progress& progress) { show(progress); };
}

void ProgressBar::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void ProgressBar::show(const Progress& progress) {
  Clock::time_point now = Clock::now();
  if (progress.stage != stage_ || progress.fraction < fraction_ / 2) start_ = now;  // another piece of work
  stage_ = progress.stage;
  fraction_ = progress.fraction;
  double since = std::chrono::duration<double>(now - last_).count();
  if (since < (terminal_ ? seconds_between_draws : seconds_between_lines)) return;
  last_ = now;
  double elapsed = std::chrono::duration<double>(now - start_).count();
  std::string left =
      progress.fraction > 0.01 && elapsed > 1 ? duration(elapsed * (1 / progress.fraction - 1)) + " left" : "";
  if (!terminal_) {
    say(stderr, "{}: {:.0f} %{}{}\n", progress.stage, 100 * progress.fraction, left.empty() ? "" : ", ", left);
    return;
  }
  int full = static_cast<int>(bar_width * std::clamp(progress.fraction, 0.0, 1.0));
  say(stderr, "\r{} [{}{}] {:3.0f} %  {}\033[K", progress.stage, std::string(static_cast<std::size_t>(full), '='),
      std::string(static_cast<std::size_t>(bar_width - full), ' '), 100 * progress.fraction, left);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace gfdt::app

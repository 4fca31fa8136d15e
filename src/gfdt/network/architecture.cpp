#include "gfdt/network/architecture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gfdt/base/error.hpp"
#include "gfdt/network/shape.hpp"

namespace gfdt::network {

int Architecture::outputs() const {
  const Shape last = shapes(*this).back();
  return last.sites * last.channels;
}

std::size_t Architecture::parameters() const {
  std::size_t total = 0;
  for (const Layer& layer : layers) total += parameter_count(layer);
  return total;
}

double Architecture::operations() const {
  const std::vector<Shape> all = shapes(*this);
  double total = 0;
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (const auto* convolution = std::get_if<Convolution>(&layers[i]))
      total += 2.0 * all[i + 1].sites * convolution->kernel * convolution->in * convolution->out;
  return total;
}

std::string Architecture::description() const {
  std::vector<int> widths{channels};
  int largest = 1;
  bool normed = false, joined = false;
  for (const Layer& layer : layers) {
    if (const auto* convolution = std::get_if<Convolution>(&layer)) {
      widths.push_back(convolution->out);
      largest = std::max(largest, convolution->kernel);
    }
    normed |= std::holds_alternative<GroupNorm>(layer);
    joined |= std::holds_alternative<UpsampleAndJoin>(layer);
  }
  return fmt::format("{} of {}{}{}, Swish{}, {} parameters",
                     joined      ? "U-Net"
                     : sites > 1 ? "patch network"
                                 : "MLP",
                     fmt::join(widths, "-"), sites > 1 ? fmt::format(" on {} sites", sites) : "",
                     largest > 1 ? fmt::format(", kernel {}", largest) : "", normed ? ", group norm" : "",
                     parameters());
}

void Architecture::check() const { shapes(*this); }

Architecture mlp(const std::vector<int>& widths) {
  if (widths.size() < 2) throw Error("An MLP needs at least the widths of its input and its output.");
  return patch(1, widths.front(), 0, {widths.begin() + 1, widths.end() - 1}, widths.back());
}

Architecture patch(int sites, int fields, int radius, const std::vector<int>& hidden, int outputs) {
  const int window = 2 * radius + 1;
  if (window > sites)
    throw Error(
        fmt::format("A window of {} sites (radius {}) does not fit on a ring of {}: use a radius of at most {}, or "
                    "the method dsm.",
                    window, radius, sites, (sites - 1) / 2));
  Architecture result{sites, fields, {}};
  int width = fields, kernel = window;
  for (int next : hidden) {
    result.layers.push_back(Convolution{width, next, kernel, 1});
    result.layers.push_back(Swish{});
    width = next;
    kernel = 1;
  }
  result.layers.push_back(Convolution{width, outputs > 0 ? outputs : fields, kernel, 1});
  result.check();
  return result;
}

Architecture unet(int sites, int fields, int base) {
  constexpr int kernel = 5, groups = 8;
  if (sites % 4 != 0 || sites / 4 < kernel)
    throw Error(
        fmt::format("The U-Net halves the ring twice and convolves windows of {} sites: it needs a multiple of 4 "
                    "sites, at least {}, and there are {}. Use the method patch.",
                    kernel, 4 * kernel, sites));
  if (base < groups || base % groups != 0)
    throw Error(fmt::format("The U-Net's width must be a multiple of {}; {} is not.", groups, base));
  Architecture result{sites, fields, {}};
  auto block = [&](int in, int out) {
    for (int from : {in, out}) {
      result.layers.push_back(Convolution{from, out, kernel, 1});
      result.layers.push_back(GroupNorm{out, groups});
      result.layers.push_back(Swish{});
    }
    return static_cast<int>(result.layers.size()) - 1;
  };
  const int top = block(fields, base);
  result.layers.push_back(Convolution{base, base, 2, 2});
  const int middle = block(base, 2 * base);
  result.layers.push_back(Convolution{2 * base, 2 * base, 2, 2});
  block(2 * base, 4 * base);
  result.layers.push_back(UpsampleAndJoin{middle});
  block(6 * base, 2 * base);
  result.layers.push_back(UpsampleAndJoin{top});
  block(3 * base, base);
  result.layers.push_back(Convolution{base, fields, 1, 1});
  result.check();
  return result;
}

}  // namespace gfdt::network

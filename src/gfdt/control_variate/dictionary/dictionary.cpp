#include "gfdt/control_variate/dictionary/dictionary.hpp"

#include <algorithm>
#include <set>

#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::control_variate {
namespace {

/// Up to this number of dimensions all products are included; in more dimensions only products of interacting states.
constexpr std::size_t few_dimensions = 3;
constexpr int highest_degree = 8, highest_power = 4, highest_level = 10;
/// Bumps replace polynomials of higher degree: 2, 4, 8, … of them on successive levels, starting at this one.
constexpr int first_bump_level = 5, bump_levels = 4;
constexpr std::size_t most_dimensions_with_bumps = 2;
/// Range in sites of a product on a ring, and of a product of two states. Quadratic forms solve Poisson's equation for
/// quadratic observables of linear models, and correlations have a long range if noise is conserved.
constexpr int reach = 4, reach_of_pairs = 33;

std::vector<Profile> profiles_of(const Coordinate& coordinate, const Spread& spread, bool bumps) {
  std::vector<Profile> result;
  switch (coordinate.shape) {
    case Coordinate::Shape::state:
      for (int degree = 1; degree <= highest_degree; ++degree)
        result.push_back({Profile::Shape::hermite, degree, 0, 1, degree});
      if (bumps)
        for (int b = 0; b < bump_levels; ++b) {
          const int count = 2 << b;
          const double width = (spread.high - spread.low) / count;
          for (int i = 0; i < count; ++i)
            result.push_back({Profile::Shape::bump, 0, spread.low + (i + 0.5) * width, width, first_bump_level + b});
        }
      break;
    case Coordinate::Shape::atom:
      for (int power = 1; power <= highest_power; ++power)
        result.push_back({Profile::Shape::power, power, 0, 1, power});
      break;
    case Coordinate::Shape::ramp:
      for (int power = 2; power <= highest_power + 1; ++power)
        result.push_back({Profile::Shape::power, power, 0, 1, power});
  }
  return result;
}

/// Builds products from factors in the order of (offset, coordinate).
class Products {
 public:
  Products(const symbolic::Model& model, const Dictionary& dictionary) : model_(model), dictionary_(dictionary) {
    const int reached = std::min(dictionary.sites, std::clamp(dictionary.sites / 2 + 1, reach, reach_of_pairs));
    for (int offset = 0; offset < reached; ++offset)
      for (std::size_t q = 0; q < dictionary.coordinates.size(); ++q) places_.push_back({static_cast<int>(q), offset});
    find_neighbours();
  }

  std::vector<Function> of_level(int level) {
    found_.clear();
    extend({}, 0, level);
    return std::move(found_);
  }

 private:
  struct Place {
    int coordinate, offset;
  };

  void extend(const Function& product, std::size_t first, int left) {
    if (left == 0) {
      found_.push_back(product);
      return;
    }
    if (product.factors.size() == Dictionary::most_factors) return;
    for (std::size_t i = first; i < places_.size(); ++i) {
      // The first factor of a translation sum has offset 0; other offsets would repeat the same sums.
      if (product.factors.empty() && places_[i].offset > 0) break;
      if (places_[i].offset >= reach && product.level + left > 2) break;
      const auto& profiles = dictionary_.profiles[static_cast<std::size_t>(places_[i].coordinate)];
      for (std::size_t n = 0; n < profiles.size(); ++n) {
        if (profiles[n].level > left || !goes_with(product, places_[i], left + product.level)) continue;
        Function longer = product;
        longer.factors.push_back({places_[i].coordinate, static_cast<int>(n), places_[i].offset});
        longer.level += profiles[n].level;
        extend(longer, i + 1, left - profiles[n].level);
      }
    }
  }

  bool goes_with(const Function& product, const Place& place, int level) const {
    if (product.factors.empty() || dictionary_.sites > 1) return true;
    if (model_.states.size() <= few_dimensions || level <= 2) return true;
    return std::ranges::all_of(product.factors, [&](const Factor& factor) {
      return neighbours_[static_cast<std::size_t>(factor.coordinate)].contains(place.coordinate);
    });
  }

  /// Finds pairs of coordinates of which one occurs in L applied to the other.
  void find_neighbours() {
    const std::size_t count = dictionary_.coordinates.size();
    neighbours_.resize(count);
    const Operator l = generator(model_);
    for (std::size_t q = 0; q < count; ++q) {
      const std::set<std::string> names = symbolic::names_in(applied(model_, l, dictionary_.coordinates[q]));
      for (std::size_t r = 0; r < count; ++r) {
        const std::set<std::string> own = symbolic::names_in(dictionary_.coordinates[r].inner);
        const bool acts = std::ranges::any_of(model_.states, [&](const symbolic::Field& state) {
          return own.contains(state.name) && names.contains(state.name);
        });
        if (!acts) continue;
        neighbours_[q].insert(static_cast<int>(r));
        neighbours_[r].insert(static_cast<int>(q));
      }
    }
  }

  const symbolic::Model& model_;
  const Dictionary& dictionary_;
  std::vector<Place> places_;
  std::vector<std::set<int>> neighbours_;
  std::vector<Function> found_;
};

}  // namespace

Dictionary make_dictionary(const symbolic::Model& model, std::vector<Coordinate> coordinates,
                           std::vector<Spread> spreads, std::size_t most_functions) {
  Dictionary dictionary;
  dictionary.sites = sites_of(model);
  const bool bumps = dictionary.sites == 1 && model.states.size() <= most_dimensions_with_bumps;
  for (std::size_t q = 0; q < coordinates.size(); ++q)
    dictionary.profiles.push_back(profiles_of(coordinates[q], spreads[q], bumps));
  dictionary.coordinates = std::move(coordinates);
  dictionary.spreads = std::move(spreads);
  Products products(model, dictionary);
  for (int level = 1; level <= highest_level; ++level) {
    std::vector<Function> more = products.of_level(level);
    if (dictionary.functions.size() + more.size() > most_functions) return dictionary;
    if (more.empty()) break;
    dictionary.functions.insert(dictionary.functions.end(), more.begin(), more.end());
    dictionary.sizes.push_back(dictionary.functions.size());
  }
  dictionary.complete = true;
  return dictionary;
}

}  // namespace gfdt::control_variate

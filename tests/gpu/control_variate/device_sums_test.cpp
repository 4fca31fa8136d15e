#include <gmock/gmock.h>

#include <cstdlib>
#include <random>

#include "../../control_variate/models_for_dictionaries.hpp"
#include "gfdt/control_variate/controlled_statistics.hpp"
#include "gfdt/control_variate/fit/sample_sums.hpp"
#include "gfdt/control_variate/fit/spreads.hpp"
#include "gfdt/gpu/driver/device.hpp"

namespace gfdt::control_variate {
namespace {

/// A model with a dictionary, samples in groups of different sizes, and both kinds of targets.
class Case {
 public:
  Case(symbolic::Model of, std::size_t functions, const std::vector<std::size_t>& groups)
      : model(std::move(of)), samples(drawn(model, groups)), dictionary(dictionary_of(functions)) {
    for (const symbolic::Parameter& parameter : model.parameters) {
      const symbolic::Perturbation change = symbolic::perturbation(model, parameter.name);
      changes.push_back(Operator{change.drift, change.diffusion});
    }
    changes.emplace_back();
    values = std::make_unique<const DictionaryValues>(model, dictionary, changes);
  }

  Targets observables() const { return targets_of(observables_of(model, {}), model.observables.size()); }

  /// Operators applied to two functions u; every third target also has an observable.
  Targets terms() const {
    Targets targets = observables();
    targets.count = 2 * changes.size();
    targets.quantity_of.assign(targets.count, -1);
    for (std::size_t t = 0; t < targets.count; t += 3) targets.quantity_of[t] = 0;
    for (std::size_t i = 0; i < 2 * dictionary.functions.size(); ++i)
      targets.solutions.push_back(i % 5 ? std::cos(1.7 * static_cast<double>(i)) : 0);
    return targets;
  }

  SampleSums sum(const Targets& targets, bool products, bool on_device) const {
    return sum_samples(samples, *values, targets, products,
                       {.threads = 2, .device = on_device, .least_device_work = 0});
  }

  symbolic::Model model;
  score::Samples samples;
  Dictionary dictionary;
  std::vector<std::optional<Operator>> changes;
  std::unique_ptr<const DictionaryValues> values;

 private:
  static score::Samples drawn(const symbolic::Model& model, const std::vector<std::size_t>& groups) {
    score::Samples result{{static_cast<int>(model.states.size()), sites_of(model)}, {}, {}, {}};
    std::mt19937_64 generator(5);
    std::normal_distribution<double> normal(0.3, 1.1);
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (std::size_t i = 0; i < groups[g]; ++i) {
        for (int c = 0; c < model.dimension(); ++c) result.values.push_back(normal(generator));
        result.group.push_back(static_cast<std::uint32_t>(g));
      }
    return result;
  }

  Dictionary dictionary_of(std::size_t most) const {
    std::vector<Coordinate> coordinates = coordinates_of(model);
    std::vector<Spread> spreads = spreads_of(model, coordinates, samples);
    return make_dictionary(model, std::move(coordinates), std::move(spreads), most);
  }
};

/// Two groups in the first part, which has more samples than a device processes at a time.
const std::vector<std::size_t> uneven = {2600, 1700, 999, 1301, 801};

bool same(const SampleSums& a, const SampleSums& b) {
  bool equal = a.function_means == b.function_means && a.target_means == b.target_means;
  for (std::size_t part = 0; part < a.parts(); ++part)
    equal = equal && a.functions[part].products == b.functions[part].products &&
            a.targets[part].cross == b.targets[part].cross && a.targets[part].squares == b.targets[part].squares;
  return equal;
}

/// Entries may differ by rounding: 1e-12 of their root mean squares, which for functions are taken from
/// `with_products`.
void expect_close(const SampleSums& found, const SampleSums& wanted, const SampleSums& with_products) {
  ASSERT_EQ(found.parts(), wanted.parts());
  ASSERT_EQ(found.function_means.size(), wanted.function_means.size());
  const auto close = [](const auto& a, const auto& b, const auto& scale) {
    return ((a - b).array().abs() <= 1e-12 * scale.array()).all();
  };
  for (std::size_t part = 0; part < found.parts(); ++part) {
    const FunctionMoments &f = found.functions[part], &g = wanted.functions[part];
    const TargetMoments &y = found.targets[part], &z = wanted.targets[part];
    const Eigen::VectorXd size = with_products.functions[part].products.diagonal().cwiseSqrt();
    const Eigen::VectorXd target_size = z.squares.cwiseSqrt();
    const double root = std::sqrt(g.count);
    EXPECT_EQ(f.count, g.count);
    ASSERT_EQ(f.products.size(), g.products.size());
    if (g.products.size() > 0) {
      EXPECT_TRUE(close(f.products, g.products, size * size.transpose()));
    }
    EXPECT_TRUE(close(f.sum, g.sum, root * size));
    EXPECT_TRUE(close(y.sum, z.sum, root * target_size));
    EXPECT_TRUE(close(y.squares, z.squares, z.squares));
    EXPECT_TRUE(close(y.cross, z.cross, size * target_size.transpose()));
  }
  for (std::size_t g = 0; g < wanted.function_means.size(); ++g) {
    const std::size_t part = g == 0 ? 0 : g - 1;
    const double root = std::sqrt(wanted.functions[part].count);
    for (std::size_t k = 0; k < wanted.function_means[g].size(); ++k)
      EXPECT_NEAR(found.function_means[g].at(k), wanted.function_means[g][k],
                  1e-12 / root *
                      std::sqrt(with_products.functions[part].products(static_cast<Eigen::Index>(k),
                                                                       static_cast<Eigen::Index>(k))));
    for (std::size_t t = 0; t < wanted.target_means[g].size(); ++t)
      EXPECT_NEAR(found.target_means[g].at(t), wanted.target_means[g][t],
                  1e-12 / root * std::sqrt(wanted.targets[part].squares[static_cast<Eigen::Index>(t)]));
  }
}

void check(const Case& of) {
  if (!gpu::Device::find()) GTEST_SKIP() << "no GPU";
  ASSERT_GT(of.dictionary.functions.size(), 64u) << "a tile of products";
  const SampleSums host = of.sum(of.observables(), true, false), device = of.sum(of.observables(), true, true);
  expect_close(device, host, host);
  EXPECT_FALSE(same(device, host)) << "the device has not been used";
  EXPECT_TRUE(same(device, of.sum(of.observables(), true, true)));
  const Targets terms = of.terms();
  const SampleSums host_terms = of.sum(terms, false, false), device_terms = of.sum(terms, false, true);
  expect_close(device_terms, host_terms, host);
  EXPECT_FALSE(same(device_terms, host_terms)) << "the device has not been used";
}

TEST(DeviceSums, OnARingAgreeWithTheHost) {
  symbolic::Description description = symbolic::lorenz96(8);
  description.observable("mean", "mean(k, X[k])").observable("next", "mean(k, X[k]*X[k+1])");
  check(Case(symbolic::build(description), 100, uneven));
}

TEST(DeviceSums, OnARingWithSharedNoiseAgreeWithTheHost) { check(Case(noisy_ring(3), 200, uneven)); }

TEST(DeviceSums, OfPolynomialsAndBumpsAgreeWithTheHost) { check(Case(correlated(), 150, uneven)); }

TEST(DeviceSums, SmallProblemsRunOnTheHost) {
  std::string missing;
  if (!gpu::Device::find(&missing)) GTEST_SKIP() << missing;
  const Case few(correlated(), 20, {100, 150, 120, 90});
  const SampleSums sums = sum_samples(few.samples, *few.values, few.observables(), true, {.device = true});
  EXPECT_TRUE(same(sums, few.sum(few.observables(), true, false)));
}

TEST(DeviceSums, FallBackToTheHostIfDeviceMemoryIsInsufficient) {
  const gpu::Device* const device = gpu::Device::find();
  if (!device || device->name() != "emulated GPU") GTEST_SKIP() << "needs a GPU that can be made small";
  const Case of(correlated(), 150, uneven);
  ::setenv("GFDT_EMULATED_BYTES", "1000000", 1);
  const SampleSums sums = of.sum(of.observables(), true, true);
  ::unsetenv("GFDT_EMULATED_BYTES");
  EXPECT_TRUE(same(sums, of.sum(of.observables(), true, false)));
}

}  // namespace
}  // namespace gfdt::control_variate

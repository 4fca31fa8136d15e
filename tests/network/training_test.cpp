#include "gfdt/network/training.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/philox.hpp"

namespace gfdt::network {
namespace {

/// y = sin(2x₀) + x₁², with the same examples in every pass.
class Surface : public Examples {
 public:
  explicit Surface(std::size_t size, double scale = 1) : size_(size), scale_(scale) {}
  std::size_t size() const override { return size_; }
  void get(std::span<const std::uint32_t> examples, std::uint32_t, float* inputs, float* targets,
           float* weights) const override {
    const codegen::Stream stream(3, codegen::Purpose::test, 1);
    for (std::uint32_t example : examples) {
      const double x = 4 * stream.uniform(2 * example) - 2, y = 2 * stream.uniform(2 * example + 1) - 1;
      *inputs++ = static_cast<float>(x);
      *inputs++ = static_cast<float>(y);
      *targets++ = static_cast<float>(scale_ * (std::sin(2 * x) + y * y));
      *weights++ = 1;
    }
  }

 private:
  std::size_t size_;
  double scale_;
};

Network<float> fresh(const Architecture& architecture = mlp({2, 32, 32, 1})) {
  Network<float> network(architecture);
  network.initialise(1);
  return network;
}

TEST(Training, LearnsASmoothFunction) {
  Network<float> network = fresh();
  const Training training = train(network, Surface(4000), {.batch = 32, .epochs = 40, .rate = 3e-3});
  EXPECT_EQ(training.status, TrainingStatus::done);
  EXPECT_LT(training.best_loss, 1e-3);
  EXPECT_EQ(training.loss.size(), 40u);
  EXPECT_EQ(training.validation_loss.size(), 40u);
  EXPECT_FALSE(training.retried);
}

TEST(Training, IsBitIdenticalOnAnyNumberOfThreads) {
  std::vector<float> results[3];
  int threads = 1;
  for (std::vector<float>& result : results) {
    Network<float> network = fresh(mlp({2, 64, 64, 1}));
    train(network, Surface(3000), {.batch = 512, .epochs = 3, .threads = threads});
    result.assign(network.parameters().begin(), network.parameters().end());
    threads = 2 * threads + 1;
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Training, StopsWhenTheValidationLossNoLongerDecreases) {
  Network<float> network = fresh(mlp({2, 256, 1}));
  const Training training =
      train(network, Surface(40), {.batch = 8, .epochs = 3000, .rate = 1e-2, .validation = 0.5, .patience = 5});
  EXPECT_EQ(training.status, TrainingStatus::stopped_early);
  EXPECT_LT(training.validation_loss.size(), 3000u);
  EXPECT_EQ(training.best_loss, *std::ranges::min_element(training.validation_loss));
}

TEST(Training, KeepsTheParametersOfTheBestEpoch) {
  Network<float> network = fresh();
  const Surface examples(500);
  const TrainingOptions options{.batch = 16, .epochs = 15, .rate = 2e-2, .final_rate = 1};
  const Training training = train(network, examples, options);
  Network<float> again = network;
  const Training none = train(again, examples, {.batch = 16, .epochs = 1, .rate = 1e-30});
  EXPECT_FLOAT_EQ(static_cast<float>(none.best_loss), static_cast<float>(training.best_loss));
}

TEST(Training, ContinuesFromAnEarlierFit) {
  Network<float> network = fresh();
  train(network, Surface(2000), {.batch = 32, .epochs = 20, .rate = 3e-3});
  const Training warm = train(network, Surface(2000, 1.05), {.batch = 32, .epochs = 2, .rate = 1e-3});
  Network<float> other = fresh();
  const Training cold = train(other, Surface(2000, 1.05), {.batch = 32, .epochs = 2, .rate = 1e-3});
  EXPECT_LT(10 * warm.best_loss, cold.best_loss);
}

/// Targets whose squares exceed single precision.
class Monstrous : public Surface {
 public:
  using Surface::Surface;
  void get(std::span<const std::uint32_t> examples, std::uint32_t round, float* inputs, float* targets,
           float* weights) const override {
    Surface::get(examples, round, inputs, targets, weights);
    for (std::size_t i = 0; i < examples.size(); ++i) targets[i] = 1e30f;
  }
};

TEST(Training, IsRetriedAndReportedIfItDiverges) {
  Network<float> network = fresh();
  const std::vector<float> before(network.parameters().begin(), network.parameters().end());
  const Training training = train(network, Monstrous(100), {.batch = 10, .epochs = 3, .rate = 0.3});
  EXPECT_EQ(training.status, TrainingStatus::diverged);
  EXPECT_TRUE(training.retried);
  EXPECT_NEAR(training.rate, 0.1, 1e-12);
}

/// A single huge target in the middle of the first attempt, with the effect of steps that are too large.
class MonstrousOnce : public Surface {
 public:
  using Surface::Surface;
  void get(std::span<const std::uint32_t> examples, std::uint32_t round, float* inputs, float* targets,
           float* weights) const override {
    Surface::get(examples, round, inputs, targets, weights);
    if (visits_++ == 60) targets[0] = 1e30f;
  }

 private:
  mutable std::atomic<int> visits_ = 0;
};

TEST(Training, DivergenceIsOvercomeByASmallerRate) {
  Network<float> network = fresh(), other = fresh();
  const Training training = train(network, MonstrousOnce(600), {.batch = 20, .epochs = 6, .rate = 0.003});
  EXPECT_TRUE(training.retried);
  EXPECT_EQ(training.status, TrainingStatus::done);
  EXPECT_NEAR(training.rate, 0.001, 1e-12);
  train(other, Surface(600), {.batch = 20, .epochs = 6, .rate = 0.001});
  for (std::size_t i = 0; i < network.parameters().size(); ++i)
    ASSERT_NEAR(network.parameters()[i], other.parameters()[i], 1e-4);
}

TEST(Training, CanBeCancelled) {
  Network<float> network = fresh();
  Cancellation cancellation;
  cancellation.request();
  EXPECT_EQ(train(network, Surface(100), {}, {}, &cancellation).status, TrainingStatus::cancelled);
}

TEST(TrainingOptions, ReportInvalidValues) {
  using ::testing::HasSubstr;
  EXPECT_EQ(TrainingOptions{}.problem(), "");
  EXPECT_THAT(TrainingOptions{.batch = 0}.problem(), HasSubstr("batch"));
  EXPECT_THAT(TrainingOptions{.epochs = 0}.problem(), HasSubstr("epoch"));
  EXPECT_THAT(TrainingOptions{.rate = -1}.problem(), HasSubstr("rate"));
  EXPECT_THAT(TrainingOptions{.warm_up = 1}.problem(), HasSubstr("warm-up"));
  EXPECT_THAT(TrainingOptions{.validation = 0.9}.problem(), HasSubstr("validation"));
  EXPECT_THAT((TrainingOptions{.validation = 0, .patience = 3}).problem(), HasSubstr("validation"));
  Network<float> network = fresh();
  EXPECT_THROW(train(network, Surface(100), {.batch = 0}), Error);
  EXPECT_THROW(train(network, Surface(1), {}), Error);
}

}  // namespace
}  // namespace gfdt::network

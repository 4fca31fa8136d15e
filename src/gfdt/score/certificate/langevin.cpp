#include "gfdt/score/certificate/langevin.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gfdt/base/symmetric_eigen.hpp"
#include "gfdt/codegen/program/aligned_array.hpp"
#include "gfdt/codegen/random/normals.hpp"

namespace gfdt::score {
namespace {

constexpr std::size_t chain_unit = 64, fewest_chains = 128;
constexpr double largest_step = 0.1;
constexpr double step_times_rate = 0.2;
constexpr double farthest_drift = 1;
constexpr std::size_t steps_a_draw = 4;  // whole blocks of four normal numbers in any dimension

/// The score in normalised coordinates for one block of chains.
class NormalisedScore {
 public:
  NormalisedScore(const Field& field, const Normalisation& normalisation, std::size_t lanes)
      : field_(field), normalisation_(normalisation), lanes_(lanes), physical_(normalisation.mean.size() * lanes) {}

  void operator()(const double* x, double* s) {
    for (std::size_t i = 0; i < physical_.size(); ++i)
      physical_[i] = normalisation_.mean[i / lanes_] + normalisation_.std[i / lanes_] * x[i];
    field_.evaluate(physical_.data(), static_cast<int>(lanes_), s);
    for (std::size_t i = 0; i < physical_.size(); ++i) s[i] *= normalisation_.std[i / lanes_];
  }

 private:
  const Field& field_;
  const Normalisation& normalisation_;
  std::size_t lanes_;
  std::vector<double> physical_;
};

/// Initial states are spread evenly over the samples.
void load(const Samples& samples, const Normalisation& normalisation, std::size_t first, std::size_t lanes,
          std::size_t chains, double* x) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const double* state = samples[samples.size() * (first + lane) / chains];
    for (std::size_t row = 0; row < normalisation.mean.size(); ++row)
      x[row * lanes + lane] = (state[row] - normalisation.mean[row]) / normalisation.std[row];
  }
}

/// The largest eigenvalue of ⟨ŝ ŝᵀ⟩ over the initial states where it is finite.
double fastest_rate(const Field& field, const Samples& samples, const Normalisation& normalisation,
                    std::size_t chains) {
  const std::size_t rows = normalisation.mean.size();
  constexpr std::size_t lanes = chain_unit;
  std::vector<double> x(rows * lanes), s(rows * lanes);
  NormalisedScore score(field, normalisation, lanes);
  using Matrix = Eigen::MatrixXd;
  const auto size = static_cast<Eigen::Index>(rows);
  Matrix squares = Matrix::Zero(size, size);
  std::size_t count = 0;
  for (std::size_t block = 0; block < chains / lanes; ++block) {
    load(samples, normalisation, block * lanes, lanes, chains, x.data());
    score(x.data(), s.data());
    const Eigen::Map<const Matrix> states(s.data(), static_cast<Eigen::Index>(lanes), size);  // one state per row
    for (Eigen::Index lane = 0; lane < states.rows(); ++lane) {
      if (!states.row(lane).allFinite()) continue;
      squares.noalias() += states.row(lane).transpose() * states.row(lane);
      ++count;
    }
  }
  if (count == 0) return 1;
  return symmetric_eigenvalues(squares / static_cast<double>(count)).maxCoeff();
}

double limited(double drift) { return std::clamp(drift, -farthest_drift, farthest_drift); }

/// Consecutive chains [first, first + lanes), integrated from their initial states to the last snapshot.
class Block {
 public:
  Block(const Field& field, const Samples& samples, const Normalisation& normalisation, std::size_t first,
        std::size_t lanes, LangevinChains& result)
      : rows_(result.dimension),
        first_(first),
        lanes_(lanes),
        result_(result),
        score_(field, normalisation, lanes),
        x_(rows_ * lanes),
        moved_(rows_ * lanes),
        s_(rows_ * lanes),
        s_moved_(rows_ * lanes),
        normals_(steps_a_draw * rows_ * lanes),
        ids_(lanes) {
    load(samples, normalisation, first, lanes, result.chains, x_.data());
    initial_ = x_;
    std::iota(ids_.begin(), ids_.end(), static_cast<std::uint32_t>(first));
  }

  void run(std::uint64_t steps, std::uint64_t seed, const Watch& watch) {
    int snapshot = 0;
    for (std::uint64_t step = 0; step < steps && !watch.cancelled(); ++step) {
      if (step % steps_a_draw == 0)
        codegen::fill_normals(normals_.span(), ids_, seed, codegen::Purpose::sampling, step / steps_a_draw * rows_);
      advance(normals_.data() + step % steps_a_draw * rows_ * lanes_);
      const std::uint64_t due = steps * static_cast<std::uint64_t>(LangevinChains::snapshots + snapshot + 1) /
                                (2 * LangevinChains::snapshots);
      if (step + 1 == due) record(snapshot++);
    }
  }

 private:
  char& escaped(std::size_t lane) { return result_.escaped[first_ + lane]; }

  void advance(const float* normals) {
    const double h = result_.step, amplitude = std::sqrt(2 * h);
    score_(x_.data(), s_.data());
    for (std::size_t i = 0; i < x_.size(); ++i) moved_[i] = x_[i] + limited(h * s_[i]) + amplitude * normals[i];
    score_(moved_.data(), s_moved_.data());
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] += 0.5 * (limited(h * s_[i]) + limited(h * s_moved_[i])) + amplitude * normals[i];
      if (!(std::abs(x_[i]) <= LangevinChains::horizon)) escaped(i % lanes_) = 1;
    }
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (escaped(i % lanes_)) x_[i] = initial_[i];
  }

  void record(int snapshot) {
    for (std::size_t lane = 0; lane < lanes_; ++lane)
      for (std::size_t row = 0; row < rows_; ++row)
        result_
            .values[((first_ + lane) * LangevinChains::snapshots + static_cast<std::size_t>(snapshot)) * rows_ + row] =
            x_[row * lanes_ + lane];
  }

  std::size_t rows_, first_, lanes_;
  LangevinChains& result_;
  NormalisedScore score_;
  std::vector<double> x_, moved_, s_, s_moved_, initial_;
  codegen::AlignedArray<float> normals_;
  std::vector<std::uint32_t> ids_;
};

}  // namespace

std::size_t LangevinChains::escaped_chains() const {
  return static_cast<std::size_t>(std::ranges::count_if(escaped, [](char gone) { return gone != 0; }));
}

LangevinChains langevin_chains(const Field& field, const Samples& held_out, const Normalisation& normalisation,
                               const LangevinOptions& options, const Watch& watch) {
  auto whole_blocks = [](std::size_t chains) {
    return std::max<std::size_t>((chains + chain_unit - 1) / chain_unit, 1) * chain_unit;
  };
  const std::size_t wanted = whole_blocks(static_cast<std::size_t>(options.chains));
  const double rate = fastest_rate(field, held_out, normalisation, std::min(wanted, std::size_t{1024}));

  LangevinChains result;
  result.step = std::min(step_times_rate / rate, largest_step);
  result.dimension = normalisation.mean.size();
  // One step of a chain takes two evaluations.
  const std::uint64_t chain_steps = std::max<std::uint64_t>(options.most_evaluations / (2 * result.dimension), 1);
  const double needed = std::max(std::ceil(options.time / result.step), 2.0 * LangevinChains::snapshots);
  const double affordable = static_cast<double>(chain_steps / std::min(wanted, fewest_chains));
  result.shortened = needed > affordable;
  const auto steps =
      static_cast<std::uint64_t>(std::max(std::min(needed, affordable), 2.0 * LangevinChains::snapshots));
  result.chains = std::min(wanted, whole_blocks(chain_steps / steps));
  result.time = static_cast<double>(steps) * result.step;
  result.values.resize(result.chains * LangevinChains::snapshots * result.dimension);
  result.escaped.resize(result.chains);
  result.evaluations = 2 * steps * result.chains;
  const std::size_t lanes =
      std::max(static_cast<std::size_t>(field.best_lanes()) / chain_unit, std::size_t{1}) * chain_unit;
  const auto lanes_of = [&](std::size_t block) { return std::min(lanes, result.chains - block * lanes); };
  const auto of_block = [&](auto& all, std::size_t block) {
    const std::size_t size = all.size() / result.chains;
    return std::span(all).subspan(block * lanes * size, lanes_of(block) * size);
  };
  result.complete = for_each_monitored_block(
      (result.chains + lanes - 1) / lanes, options.threads, watch,
      [&](std::size_t block) {
        Block(field, held_out, normalisation, block * lanes, lanes_of(block), result).run(steps, options.seed, watch);
      },
      {[&](std::size_t block, Packer& packer) {
         packer.put(std::span<const double>(of_block(result.values, block)));
         packer.put(std::span<const char>(of_block(result.escaped, block)));
       },
       [&](std::size_t block, Unpacker& unpacker) {
         unpacker.get(of_block(result.values, block));
         unpacker.get(of_block(result.escaped, block));
       }});
  return result;
}

}  // namespace gfdt::score

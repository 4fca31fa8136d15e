#pragma once

#include "gfdt/base/error.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::simulate {

/// A run that produced no result; `what()` is a full sentence.
class SimulationFailed : public Error {
 public:
  using Error::Error;
};

/// A source of samples that can be repeated exactly: a run of a model, or a trajectory recorded by another program.
class Source {
 public:
  virtual ~Source() = default;

  /// Members, length, cadence and seed of the samples.
  const Options& options() const { return options_; }
  /// Number of consecutive segments into which each member of the original data is divided; each segment counts as a
  /// member.
  virtual std::size_t segments_per_member() const { return 1; }
  /// Whether the samples are generated from the model, so that runs with other parameters or with the same noise are
  /// possible.
  virtual bool of_model() const { return false; }
  virtual Summary run(std::span<Sink* const> sinks, const Control& control) const = 0;

 protected:
  explicit Source(Options options) : options_(std::move(options)) {}

 private:
  Options options_;
};

/// A run of a model. The model must outlive this object.
class ModelSource : public Source {
 public:
  ModelSource(const symbolic::Model& model, Options options) : Source(std::move(options)), model_(model) {}
  bool of_model() const override { return true; }
  Summary run(std::span<Sink* const> sinks, const Control& control) const override {
    return simulate::run(model_, options(), sinks, control);
  }

 private:
  const symbolic::Model& model_;
};

}  // namespace gfdt::simulate

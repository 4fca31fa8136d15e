#pragma once

#include "gfdt/base/error.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::simulate {

/// A run that came to nothing; `what()` is a full sentence.
class SimulationFailed : public Error {
 public:
  using Error::Error;
};

/// Samples that can be shown to sinks as often as they are wanted, the same every time: the run of a model, or a
/// trajectory that somebody else's program has recorded.
class Source {
 public:
  virtual ~Source() = default;

  /// Members, length, cadence and seed of what is shown.
  const Options& options() const { return options_; }
  /// Into how many of the members shown each member of the source was cut, one after the other.
  virtual std::size_t segments_per_member() const { return 1; }
  /// Whether this is the model's own run: its formulas are all of the dynamics, and it can be made again at other
  /// parameters, or with the noise that drove it.
  virtual bool of_model() const { return false; }
  virtual Summary run(std::span<Sink* const> sinks, const Control& control) const = 0;

 protected:
  explicit Source(Options options) : options_(std::move(options)) {}

 private:
  Options options_;
};

/// The run of a model. The model must outlive it.
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

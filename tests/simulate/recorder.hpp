#pragma once

#include <span>
#include <vector>

#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::simulate {

/// Stores every sample of every member that remained stable.
class Recorder : public Sink {
 public:
  std::unique_ptr<BlockSink> open(const Block&) override { return std::make_unique<BlockRecorder>(); }

  void close(const Block& block, std::unique_ptr<BlockSink> sink, const std::vector<bool>& sound) override {
    const auto& recorder = static_cast<const BlockRecorder&>(*sink);
    for (std::size_t lane = 0; lane < block.members.size(); ++lane) {
      if (!sound[lane]) continue;
      const std::size_t member = block.members[lane];
      if (paths_.size() <= member) paths_.resize(member + 1);
      paths_[member].clear();
      for (std::size_t i = lane; i < recorder.values.size(); i += static_cast<std::size_t>(block.lanes))
        paths_[member].push_back(recorder.values[i]);
      rows_ = recorder.rows;
    }
  }

  std::size_t members() const { return paths_.size(); }
  std::size_t rows() const { return rows_; }
  std::size_t samples() const { return paths_.at(0).size() / rows_; }
  /// All samples of a member, [sample][row].
  const std::vector<double>& path(std::size_t member) const { return paths_.at(member); }
  const std::vector<std::vector<double>>& paths() const { return paths_; }
  double at(std::size_t member, std::size_t sample, std::size_t row) const {
    return paths_.at(member).at(sample * rows_ + row);
  }

 private:
  struct BlockRecorder : BlockSinkOf<BlockRecorder> {
    template <class T>
    void take(const Record<T>& record) {
      rows = static_cast<std::size_t>(record.rows);
      values.insert(values.end(), record.data, record.data + record.samples * rows * record.lanes);
    }
    std::vector<double> values;
    std::size_t rows = 0;
  };

  std::vector<std::vector<double>> paths_;
  std::size_t rows_ = 0;
};

inline Recorder record(const symbolic::Model& model, const Options& options) {
  Recorder recorder;
  Sink* sinks[] = {&recorder};
  run(model, options, sinks);
  return recorder;
}

inline void start_at(symbolic::Description& description, const std::string& state, double value) {
  description.initial.push_back({state, {value, 0}});
}

/// Adds the noise terms of a state, driven by named Wiener processes.
inline void drive(symbolic::Description& description, const std::string& state,
                  std::initializer_list<symbolic::NamedText> terms) {
  description.diffusion.push_back({state, terms});
}

/// dx = −alpha x dt + beta dW
inline symbolic::Description ornstein_uhlenbeck(double alpha = 1, double beta = 1) {
  symbolic::Description description;
  description.parameter("alpha", alpha).parameter("beta", beta).state("x", "-alpha*x", "beta");
  return description.observable("x2", "x^2");
}

}  // namespace gfdt::simulate

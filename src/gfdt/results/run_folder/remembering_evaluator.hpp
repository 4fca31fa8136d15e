#pragma once

#include <string>
#include <vector>

#include "gfdt/calibrate/evaluation/evaluation.hpp"
#include "gfdt/results/run_folder/run_folder.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::results {

/// Returns evaluations stored in a run folder, and stores those that another evaluator has to compute. Results are pure
/// functions of the requests: a resumed calibration makes the same requests again, and its result is bit-identical.
///
/// Scores are stored if all of them can be written to a file. A score from formulas cannot, and the stored evaluation
/// then has no scores.
class RememberingEvaluator : public calibrate::Evaluator {
 public:
  /// `free` holds the names of the parameters in requests, in their order. All arguments must outlive this object.
  RememberingEvaluator(calibrate::Evaluator& evaluator, const RunFolder& folder, const symbolic::Model& model,
                       std::vector<std::string> free);

  /// The n-th call uses stage n of the folder. Throws Error if the stage is damaged or belongs to another request. A
  /// cancelled evaluation is not stored.
  calibrate::Evaluation evaluate(const calibrate::Request& request, const simulate::Control& control) override;
  /// Requests that are not stored in the folder are passed on together.
  std::vector<calibrate::Evaluation> evaluate_all(std::span<const calibrate::Request> requests,
                                                  const simulate::Control& control) override;

  std::size_t remembered() const { return remembered_; }  ///< number of evaluations read from the folder

 private:
  std::optional<calibrate::Evaluation> remembered(const calibrate::Request& request);
  void keep(const calibrate::Request& request, const calibrate::Evaluation& evaluation);
  calibrate::Evaluation recall(Stage stage, const calibrate::Request& request) const;
  std::vector<std::string> score_texts(const calibrate::Request& request,
                                       const calibrate::Evaluation& evaluation) const;

  calibrate::Evaluator& evaluator_;
  const RunFolder& folder_;
  const symbolic::Model& model_;
  std::vector<std::string> free_;
  std::size_t next_ = 0;
  std::size_t remembered_ = 0;
};

}  // namespace gfdt::results

#pragma once

#include <string>
#include <vector>

#include "gfdt/calibrate/evaluation/evaluation.hpp"
#include "gfdt/results/run_folder/run_folder.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::results {

/// Answers from a run folder as far as it goes, and keeps there what another evaluator had to compute. As answers are
/// pure functions of requests, a calibration that is resumed asks the same again and ends in the same bits.
///
/// Scores are kept where all of them can be written to a file; a score of formulas cannot, and the answer from the
/// folder comes without any.
class RememberingEvaluator : public calibrate::Evaluator {
 public:
  /// `free` names the model's parameters that requests hold, in their order. All must outlive this.
  RememberingEvaluator(calibrate::Evaluator& evaluator, const RunFolder& folder, const symbolic::Model& model,
                       std::vector<std::string> free);

  /// The n-th call is answered by stage n of the folder. Throws Error where that is damaged or answers another request.
  /// What was cancelled is not kept.
  calibrate::Evaluation evaluate(const calibrate::Request& request, const simulate::Control& control) override;
  /// Those that the folder has no answer to are asked together.
  std::vector<calibrate::Evaluation> evaluate_all(std::span<const calibrate::Request> requests,
                                                  const simulate::Control& control) override;

  std::size_t remembered() const { return remembered_; }  ///< answers that came from the folder

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

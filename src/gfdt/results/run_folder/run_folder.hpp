#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gfdt/calibrate/evaluation/evaluation.hpp"
#include "gfdt/data/provenance.hpp"
#include "gfdt/results/run_folder/folder_lock.hpp"

namespace gfdt::results {

/// The version of the folder's format that is written; others are refused.
inline constexpr int run_folder_format = 2;

/// What a run folder says of the run it holds.
struct RunDescription {
  nlohmann::ordered_json identity;  ///< see run_identity
  data::Provenance provenance;      ///< of who began it; decides nothing
};

/// An evaluation as it is kept.
struct Stage {
  calibrate::Request request;        ///< without scores
  calibrate::Evaluation evaluation;  ///< without scores
  std::vector<std::string> scores;   ///< texts of their files
  std::filesystem::path file;        ///< that it was read from
};

/// A folder that holds all that a calibration has computed, so that it can go on after it was stopped. One process
/// works in it at a time. Of several ranks the first one reads and writes it, and all know what it has read. Layout:
/// docs/run-folder.md.
class RunFolder {
 public:
  enum class Mode {
    fresh,   ///< the folder holds no run yet; it is made where it is missing
    resume,  ///< it holds this run, finished or not
  };

  /// Throws Error when the folder is in use, holds a run (fresh), or holds none or another one (resume).
  RunFolder(const std::filesystem::path& folder, const RunDescription& run, Mode mode);

  static bool holds_run(const std::filesystem::path& folder);
  /// Deletes a run: what this class has written there, and files with these names. Files of others stay. Throws Error
  /// where the folder is in use, or what looks like a run is none.
  static void clear(const std::filesystem::path& folder, std::span<const char* const> names);

  const std::filesystem::path& path() const { return folder_; }
  /// Whether the run came to its end before: there is a result.
  bool finished() const;

  /// The n-th evaluation, if it is kept. Throws Error, naming the file, where it is damaged or of another run.
  std::optional<Stage> read_stage(std::size_t number) const;
  /// Appears in the folder once all of it is on the disk.
  void write_stage(std::size_t number, const Stage& stage) const;

  /// Where a score of the n-th evaluation is kept.
  std::filesystem::path score_file(std::size_t number, std::size_t score) const;

  /// A file of the folder, such as `result.json`, complete or not at all.
  void write(const std::string& name, const nlohmann::ordered_json& document) const;

 private:
  void begin(const RunDescription& run) const;
  void go_on(const RunDescription& run) const;
  std::filesystem::path stage_file(std::size_t number, calibrate::Request::Purpose purpose) const;
  /// Throws Error, naming the file, where the text is damaged or of another run.
  Stage stage_from(const std::filesystem::path& file, const std::string& text, std::vector<std::string> scores) const;
  std::vector<std::string> read_scores(std::size_t number, std::span<const std::string> checksums,
                                       const std::filesystem::path& stage) const;

  std::filesystem::path folder_;
  std::string hash_;  ///< of the identity
  std::unique_ptr<FolderLock> lock_;
};

}  // namespace gfdt::results

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

/// The version of the folder format that is written; other versions are rejected.
inline constexpr int run_folder_format = 2;

/// The description of a run in a run folder.
struct RunDescription {
  nlohmann::ordered_json identity;  ///< what determines its results, see run_identity
  data::Provenance provenance;      ///< of the process that started it; not compared
};

/// An evaluation as stored in a run folder.
struct Stage {
  calibrate::Request request;        ///< without scores
  calibrate::Evaluation evaluation;  ///< without scores
  std::vector<std::string> scores;   ///< contents of the score files
  std::filesystem::path file;        ///< the file from which it was read
};

/// A folder that stores all evaluations of a calibration, so that an interrupted calibration can be resumed. Only one
/// process may work in it at a time. In a parallel run, the root rank reads and writes the files and all ranks receive
/// their contents. The layout is documented in docs/run-folder.md.
class RunFolder {
 public:
  enum class Mode {
    fresh,   ///< the folder must not contain a run; it is created if it does not exist
    resume,  ///< the folder must contain this run, finished or not
  };

  /// Throws Error if the folder is in use, if it contains a run (fresh), or if it contains no run or another one
  /// (resume).
  RunFolder(const std::filesystem::path& folder, const RunDescription& run, Mode mode);

  static bool holds_run(const std::filesystem::path& folder);
  /// Deletes a run: the files that this class has written, and files with the given names. Other files remain. Throws
  /// Error if the folder is in use or if its run file was not written by gfdt.
  static void clear(const std::filesystem::path& folder, std::span<const char* const> names);

  const std::filesystem::path& path() const { return folder_; }
  /// Whether the run is finished, that is, whether there is a result.
  bool finished() const;

  /// The n-th evaluation, if it is stored. Throws Error with the name of the file if it is damaged or belongs to
  /// another run.
  std::optional<Stage> read_stage(std::size_t number) const;
  /// Stores the n-th evaluation; its file appears only once it is complete.
  void write_stage(std::size_t number, const Stage& stage) const;

  /// The path of a score of the n-th evaluation.
  std::filesystem::path score_file(std::size_t number, std::size_t score) const;

  /// Writes a file such as `result.json` atomically: a reader sees it complete or not at all.
  void write(const std::string& name, const nlohmann::ordered_json& document) const;

 private:
  void begin(const RunDescription& run) const;
  void go_on(const RunDescription& run) const;
  std::filesystem::path stage_file(std::size_t number, calibrate::Request::Purpose purpose) const;
  /// Throws Error with the name of the file if the text is damaged or belongs to another run.
  Stage stage_from(const std::filesystem::path& file, const std::string& text, std::vector<std::string> scores) const;
  std::vector<std::string> read_scores(std::size_t number, std::span<const std::string> checksums,
                                       const std::filesystem::path& stage) const;

  std::filesystem::path folder_;
  std::string hash_;  ///< of the identity
  std::unique_ptr<FolderLock> lock_;
};

}  // namespace gfdt::results

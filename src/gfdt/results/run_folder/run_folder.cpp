#include "gfdt/results/run_folder/run_folder.hpp"

#include <fmt/format.h>

#include <regex>

#include "gfdt/base/error.hpp"
#include "gfdt/base/folder_entries.hpp"
#include "gfdt/data/input_files.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/data/sealed_json.hpp"
#include "gfdt/data/source_text.hpp"
#include "gfdt/data/write_atomically.hpp"
#include "gfdt/parallel/parcel.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/results/json/evaluation_json.hpp"
#include "gfdt/results/run_folder/run_identity.hpp"

namespace gfdt::results {
namespace {

namespace fs = std::filesystem;
using calibrate::Request;
using Json = nlohmann::ordered_json;

constexpr std::size_t largest_stage = std::size_t{1} << 30;
constexpr const char* run_format = "gfdt run";
constexpr const char* run_name = "run.json";
constexpr const char* problem_name = "problem.toml";
constexpr const char* model_name = "model.toml";
constexpr const char* result_name = "result.json";
constexpr const char* stages_name = "stages";

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw Error(fmt::format("The folder '{}' cannot be made: {}.", folder.string(),
                            error ? error.message() : "there is a file of that name"));
}

void remove_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) throw Error(fmt::format("The file '{}' cannot be deleted: {}.", file.string(), error.message()));
}

/// The files of all stages, recognised by their names, such as 0012-jacobian.json or 0012-score-1.json.
std::vector<fs::path> stages_in(const fs::path& folder) {
  static const std::regex name("[0-9]{4,}-(jacobian|statistics|stability|score-[0-9])\\.json");
  std::error_code error;
  std::vector<fs::path> files = folder_entries(folder, error);
  if (error && error != std::errc::no_such_file_or_directory)
    throw Error(fmt::format("The folder '{}' cannot be read: {}.", folder.string(), error.message()));
  std::erase_if(files, [](const fs::path& file) { return !std::regex_match(file.filename().string(), name); });
  return files;
}

/// The value as it will be read back: invalid UTF-8 is replaced.
Json as_stored(const Json& value) { return Json::parse(data::json_text(value)); }

[[noreturn]] void fail_damaged(const fs::path& file, const fs::path& stage, const std::string& why) {
  throw Error(fmt::format("The checkpoint '{}' is damaged. {} Delete '{}' and --resume computes that stage again.",
                          file.string(), why, stage.string()));
}

std::string text_of_stage(const fs::path& file) {
  try {
    return data::read_text_file(file, largest_stage);
  } catch (const Error& error) {
    fail_damaged(file, file, error.what());
  }
}

/// Writes a text, unless the file exists with other contents; throws Error in that case.
void write_copy(const fs::path& file, const std::string& text) {
  if (!is_there(file)) return data::write_file_atomically(file, text);
  if (data::read_text_file(file, largest_stage) != text)
    throw Error(fmt::format("The file '{}' would be overwritten: take another --out.", file.string()));
}

}  // namespace

RunFolder::RunFolder(const fs::path& folder, const RunDescription& run, Mode mode)
    : folder_(folder), hash_(identity_hash(as_stored(run.identity))) {
  if (mode == Mode::resume && !holds_run(folder))
    throw Error(fmt::format("The folder '{}' holds no run that could be resumed: leave out --resume to begin one.",
                            folder.string()));
  ranks::run_on_root("the opening of a run folder", [&] {
    make_folder(folder);
    lock_ = std::make_unique<FolderLock>(folder);
    if (is_there(folder / run_name))
      for (const fs::path& place : {folder, folder / stages_name}) data::remove_abandoned_files(place);
    if (mode == Mode::resume)
      go_on(run);
    else
      begin(run);
  });
}

bool RunFolder::holds_run(const fs::path& folder) {
  return ranks::decide_on_root("whether a folder holds a run", [&] { return is_there(folder / run_name); });
}

void RunFolder::clear(const fs::path& folder, std::span<const char* const> names) {
  if (!holds_run(folder)) return;
  ranks::run_on_root("the clearing of a run folder", [&] {
    const Json run = Json::parse(data::read_text_file(folder / run_name, largest_stage), nullptr, false);
    if (!run.is_object() || run.value("format", Json()) != run_format)
      throw Error(fmt::format("'{}' does not describe a run of gfdt: nothing in '{}' is deleted. Take another --out.",
                              (folder / run_name).string(), folder.string()));
    const FolderLock lock(folder);
    const Json provenance = run.value("provenance", Json::object());
    std::vector<fs::path> own = stages_in(folder / stages_name);
    for (const auto& [name, key] : {std::pair{problem_name, "problem_text"}, std::pair{model_name, "model_text"}}) {
      const fs::path file = folder / name;
      if (!is_there(file)) continue;
      if (provenance.value(key, Json()) != as_stored(data::read_text_file(file, largest_stage)))
        throw Error(
            fmt::format("'{}' is not what the run began with, and is not deleted: take another --out.", file.string()));
      own.push_back(file);
    }
    for (const char* name : names) own.push_back(folder / name);
    own.push_back(folder / run_name);
    for (const fs::path& file : own)
      if (!data::is_input(file)) remove_file(file);
    for (const fs::path& place : {folder, folder / stages_name}) data::remove_abandoned_files(place);
    std::error_code not_empty;
    fs::remove(folder / stages_name, not_empty);
  });
}

bool RunFolder::finished() const {
  return ranks::decide_on_root("whether a run is finished", [&] { return is_there(folder_ / result_name); });
}

void RunFolder::begin(const RunDescription& run) const {
  if (is_there(folder_ / run_name))
    throw Error(
        fmt::format("The folder '{}' holds {} run: --resume continues it, --overwrite deletes it, another "
                    "--out leaves it as it is.",
                    folder_.string(), is_there(folder_ / result_name) ? "a finished" : "an unfinished"));
  std::vector<fs::path> left = stages_in(folder_ / stages_name);
  if (is_there(folder_ / result_name)) left.push_back(folder_ / result_name);
  if (!left.empty())
    throw Error(
        fmt::format("The folder '{}' holds '{}' but no run: take another --out.", folder_.string(), left[0].string()));
  write_copy(folder_ / problem_name, run.provenance.problem_text);
  if (!run.provenance.model_text.empty()) write_copy(folder_ / model_name, run.provenance.model_text);
  // From this point on the folder contains a run.
  write(run_name, {{"format", run_format},
                   {"format_version", run_folder_format},
                   {"identity", run.identity},
                   {"identity_hash", hash_},
                   {"provenance", data::provenance_json(run.provenance)}});
}

void RunFolder::go_on(const RunDescription& run) const {
  const fs::path file = folder_ / run_name;
  const auto fail = [&](const std::string& why) {
    throw Error(
        fmt::format("The run in '{}' cannot be resumed: {}. Another --out starts anew.", folder_.string(), why));
  };
  Json document;
  try {
    document = data::unsealed(data::read_text_file(file, largest_stage), /*checksum_required=*/false);
  } catch (const Error& error) {
    std::string why = error.what();
    if (why.ends_with('.')) why.pop_back();
    fail(fmt::format("'{}' is damaged. {}", file.string(), why));
  }
  const auto entry = [&](const char* key) { return document.is_object() ? document.value(key, Json()) : Json(); };
  if (entry("format") != run_format) fail(fmt::format("'{}' does not describe a run of gfdt", file.string()));
  if (const Json format = entry("format_version"); format != run_folder_format)
    fail(fmt::format("its format has version {} and this program reads version {}", format.dump(), run_folder_format));
  const Json kept = entry("identity");
  if (!kept.is_object() || entry("identity_hash") != identity_hash(kept))
    fail(fmt::format("'{}' is damaged", file.string()));
  const Json asked = as_stored(run.identity);
  if (kept.value("version", Json()) != asked.value("version", Json()))
    fail(fmt::format("it was begun by gfdt {} and this is gfdt {}, whose numbers may differ",
                     kept.value("version", "of an unknown version"), asked.value("version", "of an unknown version")));
  if (const std::string difference = identity_difference(kept, asked); !difference.empty())
    fail(fmt::format("it is another one: {}", difference));
}

fs::path RunFolder::stage_file(std::size_t number, Request::Purpose purpose) const {
  return folder_ / stages_name / fmt::format("{:04}-{}.json", number, calibrate::name(purpose));
}

fs::path RunFolder::score_file(std::size_t number, std::size_t score) const {
  return folder_ / stages_name / fmt::format("{:04}-score-{}.json", number, score);
}

std::vector<std::string> RunFolder::read_scores(std::size_t number, std::span<const std::string> checksums,
                                                const fs::path& stage) const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < checksums.size(); ++i) {
    try {
      texts.push_back(data::read_text_file(score_file(number, i), largest_stage));
      if (data::checksum(texts.back()) != checksums[i]) throw Error("Its checksum is not that of its contents.");
    } catch (const Error& error) {
      fail_damaged(score_file(number, i), stage, error.what());
    }
  }
  return texts;
}

std::optional<Stage> RunFolder::read_stage(std::size_t number) const {
  std::optional<Stage> stage;
  // The root rank reads the files; all ranks parse the same text.
  const std::string packed = ranks::broadcast_from_root(fmt::format("checkpoint {}", number), [&] {
    Packer packer;
    for (const auto purpose : {Request::Purpose::jacobian, Request::Purpose::statistics, Request::Purpose::stability})
      if (const fs::path file = stage_file(number, purpose); is_there(file)) {
        const std::string text = text_of_stage(file);
        stage = stage_from(file, text, {});
        const auto checksums = Json::parse(text).at("scores").get<std::vector<std::string>>();
        packer.put(file.string());
        packer.put(text);
        packer.put(read_scores(number, checksums, file));
        break;
      }
    return packer.take();
  });
  if (packed.empty()) return {};
  Unpacker unpacker(packed);
  const fs::path file = unpacker.get<std::string>();
  const auto text = unpacker.get<std::string>();
  return stage_from(file, text, unpacker.get<std::vector<std::string>>());
}

Stage RunFolder::stage_from(const fs::path& file, const std::string& text, std::vector<std::string> scores) const {
  Stage stage;
  stage.file = file;
  std::string run;
  try {
    const Json document = data::unsealed(text, /*checksum_required=*/true);
    run = document.at("run").get<std::string>();
    stage.request = request_from_json(document.at("request"));
    stage.evaluation = evaluation_from_json(document.at("evaluation"));
    const auto sums = document.at("scores").get<std::vector<std::string>>();
    if (sums.size() > 2) throw Error("It has more scores than a cross-fit.");
    scores.resize(sums.size());
  } catch (const Json::exception&) {
    fail_damaged(file, file, "An entry is missing or of the wrong kind.");
  } catch (const Error& error) {
    fail_damaged(file, file, error.what());
  }
  if (run != hash_)
    throw Error(
        fmt::format("The checkpoint '{}' does not belong to this calibration: it is of another run.", file.string()));
  stage.scores = std::move(scores);
  return stage;
}

void RunFolder::write_stage(std::size_t number, const Stage& stage) const {
  ranks::run_on_root(fmt::format("the writing of checkpoint {}", number), [&] {
    make_folder(folder_ / stages_name);
    for (std::size_t i = 0; i < stage.scores.size(); ++i)
      data::write_file_atomically(score_file(number, i), stage.scores[i]);
    Json document{{"run", hash_}, {"request", to_json(stage.request)}, {"evaluation", to_json(stage.evaluation)}};
    document["scores"] = Json::array();
    for (const std::string& score : stage.scores) document["scores"].push_back(data::checksum(score));
    // This file is written last, because its presence indicates that the scores are complete.
    data::write_file_atomically(stage_file(number, stage.request.purpose), data::sealed_text(document));
  });
}

void RunFolder::write(const std::string& name, const Json& document) const {
  ranks::run_on_root("the writing of a run folder",
                     [&] { data::write_file_atomically(folder_ / name, data::sealed_text(document)); });
}

}  // namespace gfdt::results

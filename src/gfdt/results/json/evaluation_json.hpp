#pragma once

#include <nlohmann/json.hpp>

#include "gfdt/calibrate/evaluation/evaluation.hpp"

namespace gfdt::results {

/// A number that reads back to the same bits: what JSON has no number for is one of the words "nan", "inf", "-inf".
nlohmann::ordered_json exact_number(double value);
/// Throws nlohmann's exception or Error for what exact_number does not write.
double exact_number_from(const nlohmann::ordered_json& value);

/// Everything but the scores, which are files of their own. What is written reads back to the same bits; the sign and
/// payload of NaN are not kept.
nlohmann::ordered_json to_json(const calibrate::Request& request);
nlohmann::ordered_json to_json(const calibrate::Evaluation& evaluation);

/// Throw Error for what was not written by `to_json`.
calibrate::Request request_from_json(const nlohmann::ordered_json& value);
calibrate::Evaluation evaluation_from_json(const nlohmann::ordered_json& value);

/// Whether two requests ask the same, bit for bit; where fits of scores begin is not compared.
bool same_request(const calibrate::Request& a, const calibrate::Request& b);

}  // namespace gfdt::results

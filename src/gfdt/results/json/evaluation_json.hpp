#pragma once

#include <nlohmann/json.hpp>

#include "gfdt/calibrate/evaluation/evaluation.hpp"

namespace gfdt::results {

/// A number that is read back to the same bits. Values that JSON cannot represent are written as "nan", "inf" or
/// "-inf".
nlohmann::ordered_json exact_number(double value);
/// Throws Error or nlohmann's exception for a value that exact_number does not write.
double exact_number_from(const nlohmann::ordered_json& value);

/// All members except the scores, which are stored in files of their own. Numbers are read back to the same bits; the
/// sign and payload of NaN are not preserved.
nlohmann::ordered_json to_json(const calibrate::Request& request);
nlohmann::ordered_json to_json(const calibrate::Evaluation& evaluation);

/// These throw Error for a value that `to_json` did not write.
calibrate::Request request_from_json(const nlohmann::ordered_json& value);
calibrate::Evaluation evaluation_from_json(const nlohmann::ordered_json& value);

/// Whether two requests are identical bit for bit; the starting points of score fits are not compared.
bool same_request(const calibrate::Request& a, const calibrate::Request& b);

}  // namespace gfdt::results

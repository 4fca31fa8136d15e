#include "gfdt/calibrate/evaluation.hpp"

namespace gfdt::calibrate {

const char* name(Request::Purpose purpose) {
  switch (purpose) {
    case Request::Purpose::jacobian:
      return "jacobian";
    case Request::Purpose::statistics:
      return "statistics";
    case Request::Purpose::stability:
      return "stability";
  }
  return "";
}

}  // namespace gfdt::calibrate

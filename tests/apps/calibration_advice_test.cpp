#include "calibration_advice.hpp"

#include <gmock/gmock.h>

namespace gfdt::app {
namespace {

using calibrate::Status;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

calibrate::Problem two_parameters() {
  calibrate::Problem problem;
  problem.parameters.push_back({.name = "a", .value = 1});
  problem.parameters.push_back({.name = "b", .value = 2, .lower = 0, .upper = 5});
  problem.targets.observables = {"m", "v"};
  return problem;
}

calibrate::Calibration ended(Status status) {
  calibrate::Calibration calibration;
  calibration.status = status;
  calibration.parameters = {0.5, 2.25};
  calibration.mismatch.residual = {0.01, -0.3};
  calibration.mismatch.deviations = {0.5, -6};
  calibration.simulated_time = 900;
  return calibration;
}

std::string advice_after(Status status, const calibrate::Options& options = {}) {
  return advice(ended(status), two_parameters(), options);
}

TEST(CalibrationAdvice, IsThereForAllThatCameToNoAnswer) {
  for (Status status : {Status::unreachable, Status::small_steps, Status::iterations, Status::simulated_time,
                        Status::unstable, Status::failed})
    EXPECT_THAT(advice_after(status), Not(IsEmpty())) << calibrate::name(status);
  for (Status status : {Status::within_noise, Status::tolerance, Status::interrupted})
    EXPECT_THAT(advice_after(status), IsEmpty()) << calibrate::name(status);
}

TEST(CalibrationAdvice, AfterAProgramThatFailedIsAboutThatProgram) {
  const std::string words = advice(ended(Status::failed), two_parameters(), {}, Simulator::of_user);
  EXPECT_THAT(words, HasSubstr("simulation.command"));
  EXPECT_THAT(words, Not(HasSubstr("gfdt check")));
}

TEST(CalibrationAdvice, SaysWhatToSetAndToWhat) {
  EXPECT_THAT(advice_after(Status::unreachable),
              HasSubstr("target of v is less certain than it says, give it a std of 0.3"));
  EXPECT_THAT(advice_after(Status::iterations, {.iterations = 7}),
              HasSubstr("calibration.iterations to 14, or begin anew at this answer: --set a=0.5 --set b=2.25"));
  EXPECT_THAT(advice_after(Status::simulated_time, {.simulated_time = 1000}), HasSubstr("simulated_time to 2000"));
  EXPECT_THAT(advice_after(Status::unstable), HasSubstr("keep a where the model is stable by bounds"));
}

TEST(CalibrationAdvice, FindsWhatIsFurthestOff) {
  EXPECT_EQ(furthest_off(ended(Status::failed).mismatch), 1U);
  EXPECT_EQ(furthest_off({}), std::nullopt);
}

}  // namespace
}  // namespace gfdt::app

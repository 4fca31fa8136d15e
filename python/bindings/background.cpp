#include "background.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "gfdt/codegen/program/kernel.hpp"

namespace gfdt::python {
namespace {

constexpr std::chrono::milliseconds between_looks{50};

class Work {
 public:
  explicit Work(const std::function<void(const simulate::Control&)>& work)
      : control_{.progress = [this](const Progress& progress) { note(progress); }, .cancellation = &cancellation_},
        thread_([this, &work] { run(work); }) {}
  ~Work() { thread_.join(); }

  void cancel() { cancellation_.request(); }

  /// Waits briefly; true when the work has ended.
  bool ended() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, between_looks, [this] { return ended_; });
  }

  /// The latest progress, if it has not been reported yet.
  bool take(std::string& stage, double& fraction) {
    const std::lock_guard lock(mutex_);
    stage = stage_;
    fraction = fraction_;
    return std::exchange(fresh_, false);
  }

  std::exception_ptr failure() const { return failure_; }
  /// Why the work was repeated with interpreted formulas; empty if it was not.
  const std::string& notice() const { return notice_; }

 private:
  void note(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    stage_ = progress.stage;
    fraction_ = progress.fraction;
    fresh_ = true;
  }

  void run(const std::function<void(const simulate::Control&)>& work) {
    try {
      try {
        work(control_);
      } catch (const codegen::NativeGivenUp& given_up) {
        notice_ = given_up.what();
        work(control_);
      }
    } catch (...) {
      failure_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

  Cancellation cancellation_;
  simulate::Control control_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string stage_;
  double fraction_ = 0;
  bool fresh_ = false, ended_ = false;
  std::exception_ptr failure_;
  std::string notice_;
  std::thread thread_;
};

/// Raises exceptions of signal handlers and of the listener.
void look(Work& work, const py::object& progress) {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  std::string stage;
  double fraction = 0;
  if (!progress.is_none() && work.take(stage, fraction)) progress(stage, fraction);
}

}  // namespace

void in_background(const py::object& progress, const std::function<void(const simulate::Control&)>& work) {
  std::exception_ptr raised, failure;
  std::string notice;
  {
    const py::gil_scoped_release unlocked;
    Work running(work);
    while (!running.ended()) {
      if (raised) continue;
      const py::gil_scoped_acquire locked;
      try {
        look(running, progress);
      } catch (...) {
        raised = std::current_exception();
        running.cancel();
      }
    }
    failure = running.failure();
    notice = running.notice();
  }
  if (raised) std::rethrow_exception(raised);
  // A signal that arrived at the last moment may have stopped the work.
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (failure) std::rethrow_exception(failure);
  if (!notice.empty() && PyErr_WarnEx(PyExc_RuntimeWarning, notice.c_str(), 1) != 0) throw py::error_already_set();
}

}  // namespace gfdt::python

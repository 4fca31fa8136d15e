#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace gfdt {

/// Threads kept between calls, for work that comes in many small portions.
class Crew {
 public:
  /// `threads` workers, the calling thread among them.
  explicit Crew(int threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int size() const;

  /// Calls `work(block, worker)` once for each block in [0, blocks), in no particular order; no two calls with the same
  /// worker run at once. The first exception stops the handing out of further blocks and is rethrown here.
  void for_each_block(std::size_t blocks, const std::function<void(std::size_t block, int worker)>& work);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace gfdt

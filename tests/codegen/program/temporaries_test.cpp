#include "gfdt/codegen/program/temporaries.hpp"

#include <gtest/gtest.h>

#include <random>

namespace gfdt::codegen {
namespace {

/// A nest of three loops with random instructions. Each temporary is defined once, before its uses, in the same body or
/// in an outer one. Element 0 represents all output.
Loop random_loop(unsigned seed) {
  std::mt19937 random(seed);
  Loop loop;
  loop.indices = {{"i", 2}, {"j", 2}, {"k", 3}};
  loop.bodies.resize(4);
  std::vector<int> known;
  auto operand = [&]() -> Operand {
    if (known.empty() || random() % 8 == 0) return {Operand::Kind::uniform, static_cast<int>(random() % 3)};
    // Mostly recent temporaries, so that most lifetimes are short.
    const std::size_t back = std::min<std::size_t>(known.size() - 1, random() % 4 == 0 ? random() % 20 : random() % 3);
    return {Operand::Kind::temporary, known[known.size() - 1 - back]};
  };
  for (auto& body : loop.bodies)
    for (auto n = random() % 12; n > 0; --n) {
      Instruction i{random() % 3 == 0 ? Op::multiply_add : Op::add, {}, operand(), operand(), operand()};
      if (random() % 6 == 0) {
        i.target = {Operand::Kind::element, 0};
      } else {
        i.target = {Operand::Kind::temporary, loop.temporaries};
        known.push_back(loop.temporaries++);
      }
      body.push_back(i);
    }
  for (auto n = random() % 3; n > 0; --n)
    loop.accumulations.push_back({loop.temporaries++, operand(), {Operand::Kind::element, 0}});
  return loop;
}

/// All values that a loop writes, in order. Exact, because the arithmetic uses unsigned integers.
class Execution {
 public:
  explicit Execution(const Loop& loop) : loop_(loop), temporaries_(static_cast<std::size_t>(loop.temporaries)) {
    depth(0);
  }
  std::vector<unsigned> written;

 private:
  void depth(std::size_t d) {
    for (const Instruction& i : loop_.bodies[d]) {
      const unsigned value = i.op == Op::add ? read(i.a) + read(i.b) * 3 + turn_ : read(i.a) * read(i.b) + read(i.c);
      write(i.target, value);
    }
    ++turn_;
    if (d == loop_.indices.size()) {
      for (const Accumulation& a : loop_.accumulations) temporaries_[place(a)] += read(a.value);
      return;
    }
    const bool innermost = d + 1 == loop_.indices.size();
    if (innermost)
      for (const Accumulation& a : loop_.accumulations) temporaries_[place(a)] = 0;
    for (int i = 0; i < loop_.indices[d].size; ++i) depth(d + 1);
    if (innermost)
      for (const Accumulation& a : loop_.accumulations) written.push_back(temporaries_[place(a)]);
  }
  static std::size_t place(const Accumulation& a) { return static_cast<std::size_t>(a.temporary); }
  unsigned read(const Operand& o) const {
    if (o.kind == Operand::Kind::temporary) return temporaries_.at(static_cast<std::size_t>(o.index));
    return 17u * static_cast<unsigned>(o.index + 1);
  }
  void write(const Operand& o, unsigned value) {
    if (o.kind == Operand::Kind::temporary)
      temporaries_.at(static_cast<std::size_t>(o.index)) = value;
    else
      written.push_back(value);
  }

  const Loop& loop_;
  std::vector<unsigned> temporaries_;
  unsigned turn_ = 0;
};

TEST(ShareTemporaries, DoesNotChangeTheOutputOfALoop) {
  int before = 0, after = 0;
  for (unsigned seed = 0; seed < 5000; ++seed) {
    Loop loop = random_loop(seed), shared = loop;
    share_temporaries(shared);
    ASSERT_EQ(Execution(shared).written, Execution(loop).written) << "seed " << seed;
    ASSERT_LE(shared.temporaries, loop.temporaries);
    before += loop.temporaries;
    after += shared.temporaries;
  }
  EXPECT_LT(after, before * 3 / 4);
}

TEST(ShareTemporaries, ReusesRows) {
  // t0 = u + u, t1 = t0 + u, t2 = t1 + u, out = t2
  const Operand u{Operand::Kind::uniform, 0}, out{Operand::Kind::element, 0};
  auto t = [](int i) { return Operand{Operand::Kind::temporary, i}; };
  Loop loop;
  loop.bodies = {{{Op::add, t(0), u, u, {}},
                  {Op::add, t(1), t(0), u, {}},
                  {Op::add, t(2), t(1), u, {}},
                  {Op::copy, out, t(2), {}, {}}}};
  loop.temporaries = 3;
  share_temporaries(loop);
  EXPECT_EQ(loop.temporaries, 1);
}

}  // namespace
}  // namespace gfdt::codegen

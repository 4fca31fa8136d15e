#include "gfdt/codegen/program/unrolled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gfdt/codegen/native/program_source.hpp"

namespace gfdt::codegen {
namespace {

constexpr int words_per_block = 4, signs_a_word = 32;

/// Statements that are written together: those of one site of a loop, or of one block of random numbers.
struct Task {
  std::string text;
  std::vector<int> needs;  ///< tasks on which this one depends
  int statements = 0;
  bool written = false;
};

/// A variable and the task that computes it; -1 if it is an input.
struct Variable {
  std::string name;
  int task = -1;
};

class Unroller {
 public:
  Unroller(const Routine& routine, int phase) : routine_(routine), phase_(phase) {
    for (int row = 0; row < routine.state_rows; ++row) rows(Region::state).push_back({fmt::format("x{}", row)});
    rows(Region::next).resize(static_cast<std::size_t>(routine.state_rows));
    rows(Region::scratch).resize(static_cast<std::size_t>(routine.scratch_rows));
    rows(Region::noise).resize(static_cast<std::size_t>(routine.noise_rows));
    rows(Region::sign).resize(static_cast<std::size_t>(routine.sign_rows));
    rows(Region::output).resize(static_cast<std::size_t>(routine.output_rows));
  }

  Unrolled run() {
    draw_normals();
    draw_signs();
    for (const Program& stage : routine_.stages) {
      program_ = &stage;
      for (const Loop& loop : stage.loops) unroll_loop(loop);
      first_uniform_ += stage.uniforms.size();
    }
    Unrolled result;
    for (const Variable& row : rows(routine_.output_rows > 0 ? Region::output : Region::next)) {
      write_out(row.task, result);
      result.results.push_back(row.name);
    }
    return result;
  }

 private:
  std::vector<Variable>& rows(Region region) { return regions_[static_cast<std::size_t>(region)]; }

  Task& task() { return tasks_.back(); }
  int here() const { return static_cast<int>(tasks_.size()) - 1; }

  template <class... Args>
  void statement(fmt::format_string<Args...> format, Args&&... args) {
    task().text += "    " + fmt::format(format, std::forward<Args>(args)...) + "\n";
    ++task().statements;
  }

  void draw_normals() {
    const int end = phase_ + routine_.noise_rows;
    for (int first = 0; first < end; first += words_per_block) {
      tasks_.emplace_back();
      const int block = first / words_per_block;
      statement("const Normals z{0} = noise_block({0});", block);
      for (int i = 0; i < words_per_block; ++i)
        if (const int row = first + i - phase_; row >= 0 && row < routine_.noise_rows)
          rows(Region::noise)[static_cast<std::size_t>(row)] = {fmt::format("z{}.value{}", block, i), here()};
    }
  }

  void draw_signs() {
    if (routine_.sign_rows == 0) return;
    tasks_.emplace_back();
    for (int word = 0; word * signs_a_word < routine_.sign_rows + signs_a_word - 1; ++word)
      statement("const unsigned w{0} = sign_word({0});", word);
    for (int row = 0; row < routine_.sign_rows; ++row) {
      statement("const float e{0} = sign_in(w{1}, w{2}, first_sign + {3});", row, row / signs_a_word,
                row / signs_a_word + 1, row % signs_a_word);
      rows(Region::sign)[static_cast<std::size_t>(row)] = {fmt::format("e{}", row), here()};
    }
  }

  void unroll_loop(const Loop& loop) {
    loop_ = &loop;
    position_.assign(loop.indices.size(), 0);
    if (loop.indices.empty()) {
      tasks_.emplace_back();
      visit(0);
      return;
    }
    // Statements before the outermost loop are needed by all of its sites.
    const bool common = !loop.bodies[0].empty();
    const bool total = loop.indices.size() == 1 && !loop.accumulations.empty();
    if (common || total) tasks_.emplace_back();
    for (const Instruction& instruction : loop.bodies[0]) write(instruction);
    common_task_ = common ? here() : -1;
    if (total) open_totals();
    for (position_[0] = 0; position_[0] < loop.indices[0].size; ++position_[0]) {
      if (!total) {
        tasks_.emplace_back();
        if (common_task_ >= 0) task().needs.push_back(common_task_);
      }
      visit(1);
    }
    if (total) store_totals();
    common_task_ = -1;
  }

  /// Writes the statements from this depth inwards at the current position.
  void visit(std::size_t depth) {
    for (const Instruction& instruction : loop_->bodies[depth]) write(instruction);
    if (depth == loop_->indices.size()) {
      for (const Accumulation& a : loop_->accumulations) {
        const std::string value = read(a.value);
        const std::string sum = fmt::format("v{}", next_name_++);
        std::string& total = totals_[static_cast<std::size_t>(&a - loop_->accumulations.data())];
        statement("const Real {} = {}{}{};", sum, total, total.empty() ? "" : " + ", value);
        total = sum;
      }
      return;
    }
    const bool innermost = depth + 1 == loop_->indices.size();
    if (innermost) open_totals();
    for (position_[depth] = 0; position_[depth] < loop_->indices[depth].size; ++position_[depth]) visit(depth + 1);
    position_[depth] = 0;
    if (innermost) store_totals();
  }

  void open_totals() { totals_.assign(loop_->accumulations.size(), ""); }
  void store_totals() {
    for (std::size_t i = 0; i < totals_.size(); ++i) element(loop_->accumulations[i].target) = {totals_[i], here()};
  }

  void write(const Instruction& instruction) {
    const std::string value = fmt::format(fmt::runtime(operation_pattern(instruction.op)), read(instruction.a),
                                          read(instruction.b), read(instruction.c));
    const std::string name = fmt::format("v{}", next_name_++);
    statement("const Real {} = {};", name, value);
    if (instruction.target.kind == Operand::Kind::temporary) {
      if (temporaries_.size() <= static_cast<std::size_t>(instruction.target.index))
        temporaries_.resize(static_cast<std::size_t>(instruction.target.index) + 1);
      temporaries_[static_cast<std::size_t>(instruction.target.index)] = name;
    } else {
      element(instruction.target) = {name, here()};
    }
  }

  Variable& element(const Operand& operand) {
    const Element& element = loop_->elements[static_cast<std::size_t>(operand.index)];
    const Buffer& buffer = program_->buffers[static_cast<std::size_t>(element.buffer)];
    int row = buffer.first_row;
    for (const Element::Step& step : element.steps) {
      const std::size_t loop = static_cast<std::size_t>(step.loop);
      const int size = loop_->indices[loop].size;
      row += ((position_[loop] + step.offset) % size + size) % size * step.stride;
    }
    return rows(buffer.region)[static_cast<std::size_t>(row)];
  }

  std::string read(const Operand& operand) {
    switch (operand.kind) {
      case Operand::Kind::none:
        return "";
      case Operand::Kind::temporary:
        return temporaries_[static_cast<std::size_t>(operand.index)];
      case Operand::Kind::uniform:
        return fmt::format("u.value[{}]", first_uniform_ + static_cast<std::size_t>(operand.index));
      case Operand::Kind::element:
        break;
    }
    const Variable& variable = element(operand);
    if (variable.task >= 0 && variable.task != here()) task().needs.push_back(variable.task);
    return variable.name;
  }

  /// Writes a task after its dependencies. The recursion is shallow: dependency chains are as long as the stages of a
  /// step.
  void write_out(int number, Unrolled& result) {
    if (number < 0) return;
    Task& one = tasks_[static_cast<std::size_t>(number)];
    if (one.written) return;
    one.written = true;
    for (const int needed : one.needs) write_out(needed, result);
    result.text += one.text;
    result.statements += one.statements;
  }

  const Routine& routine_;
  int phase_;
  std::vector<Variable> regions_[6];
  std::vector<Task> tasks_;
  const Program* program_ = nullptr;
  const Loop* loop_ = nullptr;
  std::vector<int> position_;
  std::vector<std::string> temporaries_, totals_;
  std::size_t first_uniform_ = 0;
  int common_task_ = -1, next_name_ = 0;
};

}  // namespace

Unrolled unroll(const Routine& routine, int phase) { return Unroller(routine, phase).run(); }

int noise_phases(const Routine& routine) {
  return routine.noise_rows == 0 ? 1 : words_per_block / std::gcd(routine.noise_rows, words_per_block);
}

long unrolled_size(const Routine& routine) {
  long total = 0;
  for (const Program& stage : routine.stages)
    for (const Loop& loop : stage.loops) {
      long sites = 1;
      for (std::size_t depth = 0; depth < loop.bodies.size(); ++depth) {
        total += sites * static_cast<long>(loop.bodies[depth].size());
        if (depth < loop.indices.size()) sites *= loop.indices[depth].size;
      }
      total += sites * static_cast<long>(loop.accumulations.size());
    }
  return total;
}

}  // namespace gfdt::codegen

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gfdt/codegen/interpreter/bytecode.hpp"
#include "gfdt/codegen/program/aligned_array.hpp"
#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

/// A program as bytecode for the interpreter, with the values of its uniforms.
template <class T>
class CompiledCode {
 public:
  CompiledCode(Program program, const std::map<std::string, double>& symbols);

  int temporary_rows() const { return temporaries_ * sites_at_once; }

  /// Runs the program on one block. `regions`: base addresses in the order of Region. `temporaries`: `temporary_rows()`
  /// rows. `table`: workspace.
  void run(T* const* regions, T* temporaries, std::vector<CodeRow<T>>& table) const;

 private:
  void add_loop(const Loop& loop, const Program& program);
  int place(const Operand& operand) const;

  struct LoopStorage {
    std::vector<CodeInstruction> bodies[4];
    std::vector<CodeAccumulation> accumulations;
    std::vector<CodeElement> elements;
    std::unique_ptr<bool[]> moving;
  };
  std::vector<LoopStorage> storage_;
  std::vector<CodeLoop> loops_;
  AlignedArray<T> uniforms_;
  int uniforms_count_ = 0;
  int temporaries_ = 0;
  std::size_t table_size_ = 1;
  std::vector<int> element_place_;
};

}  // namespace gfdt::codegen

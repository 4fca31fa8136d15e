#pragma once

#include <filesystem>

namespace gfdt::data {

/// Marks a file as an input of the command, which results must not replace. Files are identified by device and inode,
/// so that links to the file are recognized. A missing file is ignored.
void protect_input(const std::filesystem::path& file);

/// Whether a file has been marked as an input.
bool is_input(const std::filesystem::path& file);

/// Throws Error if `target` is an input.
void refuse_input(const std::filesystem::path& target);

}  // namespace gfdt::data

// What follows a pass that was interrupted, in every call that runs one.
#pragma once

#include "runtime/workspace.hpp"

namespace heed::engine {

/// Lowers the flag that interrupted a pass, so that the next one runs. Returns `was_interrupted`.
inline bool interrupted(runtime::Workspace& workspace, bool was_interrupted) noexcept {
  if (was_interrupted) workspace.interrupt_flag() = false;
  return was_interrupted;
}

}  // namespace heed::engine

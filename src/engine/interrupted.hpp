// Handles interruptions, for all calls that run a pass.
#pragma once

#include "runtime/workspace.hpp"

namespace heed::engine {

/// Resets the flag that interrupted a pass, so that the next one can run. Returns `was_interrupted`.
inline bool interrupted(runtime::Workspace& workspace, bool was_interrupted) noexcept {
  if (was_interrupted) workspace.interrupt() = false;
  return was_interrupted;
}

}  // namespace heed::engine

// mmproj files: the vision tower for a text model, and the projector between the two.
#pragma once

#include "runtime/load.hpp"

namespace heed::runtime {

/// For Loader and load_file, whose model can then be passed to TileRun.
extern const FileKind kProjectorFile;

}  // namespace heed::runtime

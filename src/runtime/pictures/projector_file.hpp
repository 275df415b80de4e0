// mmproj files: the vision tower of a text model, and the projector from the one to the other.
#pragma once

#include "runtime/load.hpp"

namespace heed::runtime {

/// For Loader and load_file: the model is then one for TileRun.
extern const FileKind kProjectorFile;

}  // namespace heed::runtime

// mmproj files: the towers for a text model, for images and for sounds, and the projectors between them and the model.
#pragma once

#include "runtime/load.hpp"

namespace heed::runtime {

/// For Loader and load_file, whose model can then be passed to TileRun and SoundRun.
extern const FileKind kProjectorFile;

}  // namespace heed::runtime

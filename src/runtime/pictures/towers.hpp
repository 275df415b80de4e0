// The towers of a projector's file.
#pragma once

#include "base/error.hpp"
#include "runtime/hearing/sound_run.hpp"
#include "runtime/pictures/tile_run.hpp"

namespace heed::runtime {

/// The towers for images and for sounds; nullptr for one that the file lacks.
struct Towers {
  TileRun* sees = nullptr;
  SoundRun* hears = nullptr;

  Towers(TileRun* sees, SoundRun* hears) noexcept : sees(sees), hears(hears) {}
  Towers(TileRun& run) noexcept : sees(&run) {}
  Towers(SoundRun& run) noexcept : hears(&run) {}

  /// These throw unsupported for a tower that the file lacks.
  TileRun& seeing() const {
    if (!sees) throw Error(ErrorCode::unsupported, "reads sounds only: it has no tower for images", "projector");
    return *sees;
  }
  SoundRun& hearing() const {
    if (!hears) throw Error(ErrorCode::unsupported, "reads images only: it has no tower for sounds", "projector");
    return *hears;
  }
};

}  // namespace heed::runtime

// What a load would take and how fast the model would be, from the header of its file alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/load.hpp"

namespace heed::runtime {

struct Forecast {
  /// What the model would report after a load. If it does not fit, the memory figures are those that it would need.
  ModelInfo info;
  std::uint64_t limit = 0;          // bytes that a load may take
  std::uint64_t weights = 0;        // bytes of the weights
  std::size_t longest_context = 0;  // the longest that fits; 0 if none does
  /// Expected tokens per second when reading a prompt and when generating; 0 for a model that reads no text, or transcribes.
  double reading = 0, writing = 0;
};

/// The forecast for a GGUF or whisper.cpp file, given at least its whole header. Runs the model's products for about a tenth of a
/// second, on as many threads as a load would. Throws what Loader throws for the header and the options, but not out_of_memory for
/// a model that does not fit.
Forecast forecast(std::span<const std::byte> header, const LoadOptions& options);

}  // namespace heed::runtime

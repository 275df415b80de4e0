// What a load would take and how fast the model would be, from the header of its file alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/load.hpp"

namespace heed::runtime {

struct Forecast {
  /// As after a load. If the model does not fit, the figures of memory are those that it would need.
  ModelInfo info;
  std::uint64_t limit = 0;          // of memory
  std::uint64_t weights = 0;        // bytes
  std::size_t longest_context = 0;  // that fits; 0 if none does
  /// Expected tokens per second, of a prompt and of the text after it; 0 for a model that reads no text, or transcribes.
  double reading = 0, writing = 0;
};

/// The forecast for a file of GGUF or whisper.cpp that begins with a whole header. Runs the model's products for about a tenth of
/// a second, on as many threads as a load would. Throws what Loader throws for the header and the options, but not out_of_memory
/// for a model that does not fit.
Forecast forecast(std::span<const std::byte> header, const LoadOptions& options);

}  // namespace heed::runtime

// Any bytes as a model file: an Error, or a model that processes and generates text. The seeds are whole models of every family.
#include <cstdlib>

#include "base/error.hpp"
#include "fuzz/use_model.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    runtime::Loader loader(test::small_limits());
    loader.write(std::as_bytes(std::span(data, size)));
    test::use(*loader.finish());
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}

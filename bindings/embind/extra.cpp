// The bytes of the extra module, for the engine's threads (extra.pre.js).
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/error.hpp"

namespace heed::bindings {
namespace {

std::unique_ptr<std::byte[]> extra;
std::size_t extra_size = 0;

}  // namespace
}  // namespace heed::bindings

/// Numbers are doubles, because pointers of 64 bits would be BigInts. 0: the number of bytes; 1: where they are; others: makes room for so
/// many, and returns where.
extern "C" double heed_extra_bytes(double size) {
  using namespace heed::bindings;
  if (size == 0) return static_cast<double>(extra_size);
  if (size > 1) {
    extra_size = static_cast<std::size_t>(size);
    extra = std::make_unique<std::byte[]>(extra_size);
  }
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(extra.get()));
}

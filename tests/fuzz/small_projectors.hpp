// Metadata of minimal projectors, without keys that no projector reads, so that every change by a fuzzer matters.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "unit/models/family_values.hpp"

namespace heed::test {

/// Whether a projector with these values reads this one: if so, it rejects a value of another type.
inline bool is_read(const Values& values, const std::string& key) {
  try {
    projector_spec_of(with(values, key, formats::Metadata::Strings{}));
    return false;
  } catch (const Error&) {
    return true;
  }
}

inline Values small_projector(const std::string& type) {
  using Integer = std::int64_t;
  Values values = projector_values(type);
  for (const auto& [key, value] : {std::pair{"embedding_length", Integer{16}},
                                   {"feed_forward_length", Integer{24}},
                                   {"block_count", Integer{type == "mlp" ? 2 : 1}},  // which does not run the last one
                                   {"attention.head_count", Integer{2}},
                                   {"image_size", Integer{16}},
                                   {"patch_size", Integer{4}},
                                   {"preproc_image_size", Integer{32}},
                                   {"image_min_pixels", Integer{64}},
                                   {"image_max_pixels", Integer{1024}}})
    values[std::string("clip.vision.") + key] = value;
  Values read;
  for (const auto& [key, value] : values)
    if (is_read(values, key)) read[key] = value;
  return read;
}

}  // namespace heed::test

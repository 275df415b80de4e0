// The types of cached keys and values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heed {

/// f32 is exact; int16 changes the logits of a model with f32 weights by about 7e-5 relative, f16 by about 3e-4. q8 and q4 have
/// codes of eight and four bits with a scale per block, of rotated vectors (kernels/kv_layout.hpp).
enum class KvType : std::uint8_t { f32, f16, int16, q8, q4 };

/// Whether each key and each value has one scale: only in int16.
constexpr bool has_scales(KvType type) noexcept { return type == KvType::int16; }

/// Whether the type has codes in blocks.
constexpr bool has_blocks(KvType type) noexcept { return type == KvType::q8 || type == KvType::q4; }

/// The type for caches that last only one pass: there, codes in blocks would save nothing.
constexpr KvType within_a_pass(KvType type) noexcept { return has_blocks(type) ? KvType::int16 : type; }

constexpr std::string_view to_string(KvType type) noexcept {
  constexpr std::string_view kNames[] = {"f32", "f16", "int16", "q8", "q4"};
  return kNames[static_cast<std::size_t>(type)];
}

/// The type with this name; nullopt if there is none. int8 is an old name of q8.
constexpr std::optional<KvType> parse_kv_type(std::string_view name) noexcept {
  for (KvType type : {KvType::f32, KvType::f16, KvType::int16, KvType::q8, KvType::q4})
    if (name == to_string(type)) return type;
  if (name == "int8") return KvType::q8;
  return std::nullopt;
}

}  // namespace heed

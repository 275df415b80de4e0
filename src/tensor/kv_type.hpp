// The types of cached keys and values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heed {

/// f32 is exact; int16 changes the logits of a model with f32 weights by about 7e-5 relative, f16 by about 3e-4, int8 by
/// about 1.5e-2 (it is never chosen silently).
enum class KvType : std::uint8_t { f32, f16, int16, int8 };

/// Integer types have a scale per key, and one per value.
constexpr bool has_scales(KvType type) noexcept { return type == KvType::int16 || type == KvType::int8; }

constexpr std::string_view to_string(KvType type) noexcept {
  return type == KvType::f32 ? "f32" : type == KvType::f16 ? "f16" : type == KvType::int16 ? "int16" : "int8";
}

/// nullopt for any other spelling.
constexpr std::optional<KvType> parse_kv_type(std::string_view name) noexcept {
  for (KvType type : {KvType::f32, KvType::f16, KvType::int16, KvType::int8})
    if (name == to_string(type)) return type;
  return std::nullopt;
}

}  // namespace heed

// Element types of stored weights. Sizes and block shapes: the GGUF specification and ggml's block structs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heed {

// clang-format off
enum class DType : std::uint8_t {
  f32, f16, bf16,
  q8_0, q4_0, q4_1, q5_0, q5_1,
  q2_k, q3_k, q4_k, q5_k, q6_k,
  iq4_nl, iq4_xs, mxfp4, tq1_0, tq2_0,
  iq2_xxs, iq2_xs, iq2_s, iq3_xxs, iq3_s, iq1_s, iq1_m,
  q1_0, q2_0, nvfp4,
};
// clang-format on

/// A row of K values is stored as K / block_values blocks of block_bytes each.
struct DTypeInfo {
  DType dtype;
  std::string_view name;    // the common name, which `heed info` prints: "Q8_0"
  std::uint32_t gguf_code;  // ggml_type in a GGUF tensor header
  std::size_t block_values;
  std::size_t block_bytes;
};

// clang-format off
inline constexpr DTypeInfo kDTypes[] = {
    {DType::f32, "F32", 0, 1, 4},          {DType::f16, "F16", 1, 1, 2},
    {DType::bf16, "BF16", 30, 1, 2},       {DType::q8_0, "Q8_0", 8, 32, 34},
    {DType::q4_0, "Q4_0", 2, 32, 18},      {DType::q4_1, "Q4_1", 3, 32, 20},
    {DType::q5_0, "Q5_0", 6, 32, 22},      {DType::q5_1, "Q5_1", 7, 32, 24},
    {DType::q2_k, "Q2_K", 10, 256, 84},    {DType::q3_k, "Q3_K", 11, 256, 110},
    {DType::q4_k, "Q4_K", 12, 256, 144},   {DType::q5_k, "Q5_K", 13, 256, 176},
    {DType::q6_k, "Q6_K", 14, 256, 210},   {DType::iq4_nl, "IQ4_NL", 20, 32, 18},
    {DType::iq4_xs, "IQ4_XS", 23, 256, 136}, {DType::mxfp4, "MXFP4", 39, 32, 17},
    {DType::tq1_0, "TQ1_0", 34, 256, 54},  {DType::tq2_0, "TQ2_0", 35, 256, 66},
    {DType::iq2_xxs, "IQ2_XXS", 16, 256, 66}, {DType::iq2_xs, "IQ2_XS", 17, 256, 74},
    {DType::iq2_s, "IQ2_S", 22, 256, 82},  {DType::iq3_xxs, "IQ3_XXS", 18, 256, 98},
    {DType::iq3_s, "IQ3_S", 21, 256, 110}, {DType::iq1_s, "IQ1_S", 19, 256, 50},
    {DType::iq1_m, "IQ1_M", 29, 256, 56},  {DType::q1_0, "Q1_0", 41, 128, 18},
    {DType::q2_0, "Q2_0", 42, 64, 18},     {DType::nvfp4, "NVFP4", 40, 64, 36},
};
// clang-format on

constexpr const DTypeInfo& info(DType dtype) noexcept { return kDTypes[static_cast<std::size_t>(dtype)]; }

constexpr std::optional<DType> dtype_of_gguf_code(std::uint32_t code) noexcept {
  for (const auto& type : kDTypes)
    if (type.gguf_code == code) return type.dtype;
  return std::nullopt;
}

/// Bytes of one stored row of `values` values; `values` must be a multiple of the type's block_values.
constexpr std::size_t row_bytes(DType dtype, std::size_t values) noexcept {
  return values / info(dtype).block_values * info(dtype).block_bytes;
}

}  // namespace heed

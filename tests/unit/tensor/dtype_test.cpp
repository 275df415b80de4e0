// The table of dtypes.
#include "tensor/dtype.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tensor/kv_type.hpp"

TEST_CASE("the table of dtypes is in order", "[tensor]") {
  for (const auto& type : heed::kDTypes) {
    CHECK(&heed::info(type.dtype) == &type);
    CHECK(heed::dtype_of_gguf_code(type.gguf_code) == type.dtype);
    CHECK(heed::row_bytes(type.dtype, 3 * type.block_values) == 3 * type.block_bytes);
  }
  CHECK_FALSE(heed::dtype_of_gguf_code(9999));
}

TEST_CASE("KV types are read as they are spelled", "[tensor]") {
  for (const heed::KvType type : {heed::KvType::f32, heed::KvType::f16, heed::KvType::int16, heed::KvType::q8, heed::KvType::q4})
    CHECK(heed::parse_kv_type(heed::to_string(type)) == type);
  CHECK_FALSE(heed::parse_kv_type("F16"));
}

// The same bits everywhere: a hash of logits that every build, target, batch size and thread count must give.
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>
#include <numeric>

#include "golden/models.hpp"
#include "kernels/dispatch.hpp"
#include "support/tiny_model.hpp"

using namespace heed;

namespace {

/// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv) of the floats' bytes.
std::uint64_t hash(const std::vector<float>& values) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte b : std::as_bytes(std::span(values))) hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100000001b3;
  return hash;
}

/// Logits of 61 tokens, which most models' contexts hold, on one target in one way.
std::uint64_t hash_of(std::span<const std::byte> file, KvType kv, const kernels::Kernels& target, std::size_t threads,
                      std::size_t batch) {
  runtime::LoadOptions options;
  options.kv_cache = kv;
  options.target = target.name;
  options.threads = threads;
  const auto model = test::load_bytes(file, options);
  std::vector<runtime::TokenId> tokens(61);
  for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<runtime::TokenId>(i * i * 7 % model->info().vocabulary);
  return hash(test::model_logits(*model, tokens, batch));
}

struct Hashes {
  std::uint64_t f32, f16, int16, q8, q4;  // by KV type
};

void check_hashes(std::span<const std::byte> file, const Hashes& expected) {
  struct Way {
    std::size_t threads, batch;
  };
  for (const auto& [kv, hash] : {std::pair{KvType::f32, expected.f32},
                                 {KvType::f16, expected.f16},
                                 {KvType::int16, expected.int16},
                                 {KvType::q8, expected.q8},
                                 {KvType::q4, expected.q4}}) {
    for (const kernels::Kernels* target : kernels::available()) {
      for (const Way way : {Way{1, 128}, Way{2, 7}, Way{2, 1}}) {
        INFO(to_string(kv) << ", " << target->name << ", " << way.threads << " threads, batches of " << way.batch);
        CHECK(hash_of(file, kv, *target, way.threads, way.batch) == hash);
      }
    }
  }
}

}  // namespace

TEST_CASE("generated models give the same bits everywhere", "[golden][bits]") {
  check_hashes(test::tiny_llama(DType::f32),
               {0x47ca80960774cb56, 0xc189c72efdba165d, 0x109c6b979b859779, 0x2f8d9c03093314bb, 0x62e5d025a68cf9f4});
  check_hashes(test::tiny_llama(DType::q8_0),
               {0xbc5674ee25f05e33, 0x67ca4083e4162780, 0x4e560851f79a5a58, 0xec8ee4158b1405b0, 0x48254f78f8e4cf4d});
  check_hashes(test::tiny_llama(DType::q4_0),
               {0xb0af22801f7570fa, 0x0bab1eef611fc1fd, 0x9c96ec7dd9703d39, 0x58d440ae8b7c596e, 0xfacf741ba30c13d3});
}

TEST_CASE("the oracle's models give the same bits everywhere", "[golden][bits][shared]") {
  const std::map<std::string, Hashes> expected = {
      {"models/stories260K", {0xe6e4d469a4b375d9, 0x257bd8a34fedc6b2, 0x98b9dfca50740a6f, 0xe689a4f4566dae67, 0x132221cd532d46d}},
      {"oracle/models/llama-headdim",
       {0x984341e128b490e4, 0xfe382b817bd74449, 0x36d27d6357dd5919, 0x638168f4c7275fd3, 0x7cec54d230bfb65a}},
      {"oracle/models/llama-bf16",
       {0xb15d1837dc542982, 0x419b48a16f392180, 0xca8f099dbbf3cb24, 0x36be367b54c95662, 0x67743e63ec8e6502}},
      {"oracle/models/llama-yarn",
       {0x52acbed5ea129412, 0x1e93b56a644e37b8, 0xf35f8831e8d05bb5, 0x63a397d1daa2bad2, 0xff9d508f080ca58b}},
      {"oracle/models/gpt2", {0xcbc330da3412a22a, 0x7cbb3af452dd1ea7, 0xe6e5b8523f31dd4b, 0xc52ce3e45e173e54, 0x9e0ba2d76d75ecbc}},
      {"oracle/quant/qbase-Q8_0",
       {0x263db97f58f0dd1e, 0x3fee479c0f07bd88, 0x306b6b3a1acc76ec, 0xd910b0d78bd7083e, 0xaef0ba00b84c8959}},
      {"oracle/quant/qbase-Q4_0",
       {0xa8d8f761e8ef6c03, 0x5eca60997093db50, 0x543ac472d449b6b3, 0xa3cfd771015c8fa2, 0xd0b04cbded276839}},
      {"oracle/quant/qbase-Q6_K",
       {0x9323b82530e8a516, 0xf41bc0fe3ff99f50, 0x9863756b6bdecc5e, 0xca676ab6d2430284, 0x834b3afb42483ba9}},
  };
  for (const auto& [name, hashes] : expected) {
    DYNAMIC_SECTION(name) { check_hashes(test::read_bytes(test::shared_file(name + ".gguf")), hashes); }
  }
}

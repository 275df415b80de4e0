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
  for (const std::byte b : std::as_bytes(std::span(values)))
    hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100000001b3;
  return hash;
}

/// Logits of 61 tokens, which most models' contexts hold, on one target in one way.
std::uint64_t hash_of(std::span<const std::byte> file, KvType kv, const kernels::Kernels& target,
                      std::size_t threads, std::size_t batch) {
  runtime::LoadOptions options;
  options.kv_cache = kv;
  options.target = target.name;
  options.threads = threads;
  const auto model = test::load_bytes(file, options);
  std::vector<runtime::TokenId> tokens(61);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    tokens[i] = static_cast<runtime::TokenId>(i * i * 7 % model->info().vocabulary);
  return hash(test::model_logits(*model, tokens, batch));
}

struct Hashes {
  std::uint64_t f32, f16, int8;  // by KV type
};

void check_hashes(std::span<const std::byte> file, const Hashes& expected) {
  struct Way {
    std::size_t threads, batch;
  };
  for (const auto& [kv, hash] :
       {std::pair{KvType::f32, expected.f32}, {KvType::f16, expected.f16}, {KvType::int8, expected.int8}}) {
    for (const kernels::Kernels* target : kernels::available()) {
      for (const Way way : {Way{1, 128}, Way{2, 7}, Way{2, 1}}) {
        INFO(to_string(kv) << ", " << target->name << ", " << way.threads << " threads, batches of "
                           << way.batch);
        CHECK(hash_of(file, kv, *target, way.threads, way.batch) == hash);
      }
    }
  }
}

}  // namespace

TEST_CASE("generated models give the same bits everywhere", "[golden][bits]") {
  check_hashes(test::tiny_llama(DType::f32), {0x769da45df35ba271, 0xed16def217332841, 0xf04bbd1501b9ae9f});
  check_hashes(test::tiny_llama(DType::q8_0), {0xd42e8838140c4117, 0x115006ac590fe9ec, 0x6601db71b1d806f8});
  check_hashes(test::tiny_llama(DType::q4_0), {0xe3b7cc77798e3bbf, 0xe05aec8824b8a5bf, 0x162dde610bcc0309});
}

TEST_CASE("the oracle's models give the same bits everywhere", "[golden][bits][shared]") {
  const std::map<std::string, Hashes> expected = {
      {"models/stories260K", {0x30bf94e250847be7, 0x01056c91f7de4698, 0xf779e74ed0daf452}},
      {"oracle/models/llama-headdim", {0x349db79e86314199, 0xea7b05a47d29cd91, 0xd1c8258709784e74}},
      {"oracle/models/llama-bf16", {0xc267db0ead844829, 0x5b3461e492030f82, 0x0e22b21e8605ea79}},
      {"oracle/models/llama-yarn", {0x8041dee248d777b8, 0x635d91ccfa7fa89d, 0x6853bfa694c60013}},
      {"oracle/models/gpt2", {0xb1cc4b946169cba4, 0xe8934842c0a169aa, 0xb75016abbaa9df03}},
      {"oracle/quant/qbase-Q8_0", {0x043065d8b52553b9, 0x9b8dbcd712803250, 0xa22d9bd4e8b0a325}},
      {"oracle/quant/qbase-Q4_0", {0xd7dce4b2770d4895, 0xf9cb6856d278fbd6, 0x62c81431bc686856}},
      {"oracle/quant/qbase-Q6_K", {0x69c95bf5bd29bb4c, 0x69d67877e044f823, 0x3cce70ecfa875722}},
  };
  for (const auto& [name, hashes] : expected) {
    DYNAMIC_SECTION(name) { check_hashes(test::read_bytes(test::shared_file(name + ".gguf")), hashes); }
  }
}

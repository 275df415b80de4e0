// Loading: chunks of any size, refusals from the header, options.
#include "runtime/load.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "formats/gguf.hpp"
#include "kernels/dispatch.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/tiny_model.hpp"
#include "unit/runtime/chain_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::check_throws;
using test::load_bytes;
using test::model_logits;
using test::tiny_llama;

namespace {

const std::vector<TokenId> kLoadedTokens = {1, 30, 259, 300, 7, 7, 120};

std::size_t header_bytes(std::span<const std::byte> file) {
  formats::GgufHeaderReader reader;
  reader.write(file);
  return static_cast<std::size_t>(reader.header_bytes());
}

}  // namespace

TEST_CASE("a model is the same, whatever chunks its file comes in and threads pack it", "[runtime][load]") {
  for (const DType dtype : {DType::f32, DType::q8_0}) {
    const auto file = tiny_llama(dtype);
    const auto expected = model_logits(*load_bytes(file, {}, file.size()), kLoadedTokens);
    LoadOptions options;
    for (options.threads = 1; options.threads <= 3; ++options.threads)
      for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, file.size()})
        CHECK(model_logits(*load_bytes(file, options, chunk), kLoadedTokens) == expected);
  }
}

TEST_CASE("a file may be cut anywhere", "[runtime][load]") {
  const auto file = tiny_llama(DType::q8_0);
  const auto expected = model_logits(*load_bytes(file), kLoadedTokens);
  LoadOptions options;
  options.threads = 2;
  for (const auto& tensor : formats::read_gguf_header(file).tensors) {
    const std::size_t row = row_bytes(tensor.dtype, tensor.columns()), all = row * tensor.rows();
    for (const std::size_t into : {std::size_t{0}, std::size_t{1}, row - 1, row, row + 1, all - 1}) {
      const std::size_t cut = static_cast<std::size_t>(tensor.offset) + std::min(into, all);
      const auto first = std::span(file).first(cut), rest = std::span(file).subspan(cut);
      Loader loader(options);
      loader.write(first);
      loader.write(rest);
      CHECK(model_logits(*loader.finish(), kLoadedTokens) == expected);
    }
  }
}

TEST_CASE("a file's chat templates are told by name", "[runtime][load]") {
  const auto model = load_bytes(tiny_llama(DType::f32, [](test::GgufWriter& file) {
    file.set("tokenizer.chat_template", "a").set("tokenizer.chat_template.tool_use", "b").set("tokenizer.chat_templates", "c");
  }));
  CHECK(model->info().chat_templates == std::vector<std::pair<std::string, std::string>>{{"", "a"}, {"tool_use", "b"}});
}

TEST_CASE("bytes after the last tensor are ignored", "[runtime][load]") {
  auto file = tiny_llama();
  const auto expected = model_logits(*load_bytes(file), kLoadedTokens);
  file.resize(file.size() + 100, std::byte{0xff});
  for (const std::size_t chunk : {std::size_t{7}, file.size()})
    CHECK(model_logits(*load_bytes(file, {}, chunk), kLoadedTokens) == expected);
}

TEST_CASE("a file that ends early is refused with both sizes", "[runtime][load]") {
  const auto file = tiny_llama();
  const std::size_t header = header_bytes(file);
  const auto load_first = [&](std::size_t size) { load_bytes(std::span(file).first(size)); };
  const std::string whole = std::to_string(file.size());
  check_throws(ErrorCode::invalid_file, "ends after " + std::to_string(file.size() - 1) + " of " + whole + " bytes",
               [&] { load_first(file.size() - 1); });
  check_throws(ErrorCode::invalid_file, "ends after " + std::to_string(header) + " of " + whole, [&] { load_first(header); });
  check_throws(ErrorCode::invalid_file, "ends inside its header, after " + std::to_string(header - 1),
               [&] { load_first(header - 1); });
  check_throws(ErrorCode::invalid_file, "ends inside its header, after 0 bytes", [&] { load_first(0); });
}

TEST_CASE("the header alone gives the description of a model", "[runtime][load]") {
  const auto file = tiny_llama(DType::q8_0);
  const std::size_t header = header_bytes(file);
  Loader loader({});
  loader.write(std::span(file).first(header - 1));
  CHECK(loader.info() == nullptr);
  CHECK(loader.bytes_expected() == 0);
  loader.write(std::span(file).subspan(header - 1, 1));
  REQUIRE(loader.info());
  CHECK(loader.bytes_expected() == file.size());
  CHECK(loader.bytes_written() == header);

  const ModelInfo& info = *loader.info();
  CHECK(info.architecture == "llama");
  CHECK(info.name == "tiny");
  CHECK(info.weights == "Q8_0");
  CHECK(info.file_bytes == file.size());
  CHECK(info.layers == 2);
  CHECK(info.heads == 4);
  CHECK(info.kv_heads == 2);
  CHECK(info.head_dim == 16);
  CHECK(info.width == 64);
  CHECK(info.feed_forward == 96);
  CHECK(info.vocabulary == 320);
  CHECK(info.trained_context_length == 64);
  CHECK(info.context_length == 64);
  CHECK(info.kv_cache == KvType::int16);
  CHECK(info.threads == 1);
  CHECK(info.target == kernels::select().name);
  CHECK(info.chat_templates.empty());
  // embedding, and for each layer attention (q, output, k, v), MLP and two norms, and the last norm
  CHECK(info.parameters == 320 * 64 + 2 * (64 * (64 + 64 + 32 + 32) + 3 * 64 * 96 + 2 * 64) + 64);
  CHECK(info.memory_bytes > file.size() - header);
}

TEST_CASE("float weights have an exact KV cache by default", "[runtime][load]") {
  const auto floats = tiny_llama(), blocks = tiny_llama(DType::q4_0);
  LoadOptions options;
  CHECK(load_bytes(floats)->info().kv_cache == KvType::f32);
  CHECK(load_bytes(blocks)->info().kv_cache == KvType::int16);
  for (const KvType type : {KvType::f32, KvType::f16, KvType::int16, KvType::q8, KvType::q4}) {
    options.kv_cache = type;
    CHECK(load_bytes(floats, options)->info().kv_cache == type);
  }
}

TEST_CASE("by default, a smaller KV cache is taken only where the context would not fit otherwise", "[runtime][load]") {
  const auto file = tiny_llama(DType::q8_0);
  const auto needed = [&](KvType type) {
    LoadOptions options;
    options.kv_cache = type;
    options.parallel = 1;
    const auto model = load_bytes(file, options);
    return model->info().memory_bytes + model->info().context_bytes;
  };
  LoadOptions options;
  options.parallel = 1;
  for (const KvType type : {KvType::int16, KvType::q8, KvType::q4}) {
    options.memory_limit = needed(type);
    CHECK(load_bytes(file, options)->info().kv_cache == type);
  }
  options.memory_limit = needed(KvType::q4) - 1;
  check_throws(ErrorCode::out_of_memory, "memory_limit: ", [&] { load_bytes(file, options); });
  options.memory_limit = needed(KvType::q8);
  options.kv_cache = KvType::int16;  // which is then not replaced
  check_throws(ErrorCode::out_of_memory, "memory_limit: ", [&] { load_bytes(file, options); });
}

TEST_CASE("a KV cache of fewer bits changes the logits a little", "[runtime][load]") {
  const auto file = tiny_llama();
  const auto exact = model_logits(*load_bytes(file), kLoadedTokens);
  for (const auto& [type, bound] : {std::pair{KvType::f16, 1e-3}, {KvType::int16, 1e-3}, {KvType::q8, 2e-2}, {KvType::q4, 2e-1}}) {
    LoadOptions options;
    options.kv_cache = type;
    const auto got = model_logits(*load_bytes(file, options), kLoadedTokens);
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      difference += (got[i] - exact[i]) * (got[i] - exact[i]);
      size += exact[i] * exact[i];
    }
    CHECK(difference > 0);
    CHECK(std::sqrt(difference / size) < bound);
  }
}

TEST_CASE("a model that cannot fit is refused from its header, with the figures", "[runtime][load]") {
  const auto file = tiny_llama();
  LoadOptions options;
  options.memory_limit = 200'000;
  Loader loader(options);
  check_throws(ErrorCode::out_of_memory, "memory_limit: needs 1 MB for weights and ",
               [&] { loader.write(std::span(file).first(header_bytes(file))); });

  // exactly the reported amount of memory is enough
  options.memory_limit.reset();
  options.context_length = 64;
  options.parallel = 1;
  const auto model = load_bytes(file, options);
  options.memory_limit = model->info().memory_bytes + model->info().context_bytes;
  CHECK(load_bytes(file, options)->info().context_length == 64);
  options.kv_cache = model->info().kv_cache;
  --*options.memory_limit;
  check_throws(ErrorCode::out_of_memory, "for a context of 64, but the limit is 1 MB", [&] { load_bytes(file, options); });
}

TEST_CASE("the figures of a refusal are right where sizes are past 32 bits", "[runtime][load]") {
  test::GgufWriter writer;
  writer.set("general.architecture", "llama")
      .set("llama.context_length", std::uint32_t{1} << 26)
      .set("llama.embedding_length", std::uint32_t{1})
      .set("llama.block_count", std::uint32_t{1})
      .set("llama.feed_forward_length", std::uint32_t{1})
      .set("llama.attention.head_count", std::uint32_t{1})
      .set("llama.attention.key_length", std::uint32_t{2})
      .set("llama.attention.value_length", std::uint32_t{2})
      .set("llama.attention.layer_norm_rms_epsilon", 1e-5f)
      .set("tokenizer.ggml.tokens", std::vector<std::string>{"a"});
  LoadOptions options;
  options.threads = 64;
  options.context_length = std::size_t{1} << 26;
  options.memory_limit = std::uint64_t{3} << 30;
  options.kv_cache = KvType::f32;
  // keys: 2^26 x 2 floats; values: 2^26 x 16
  const std::string needed = sizeof(void*) == 4 ? "4853" : "4854";  // partial sums of each chunk hold a pointer
  check_throws(ErrorCode::out_of_memory, "needs 0 MB for weights and " + needed + " MB for a context of 67108864",
               [&] { load_bytes(writer.finish(), options); });

  writer.tensor({.name = "huge", .dimensions = {1u << 31, 1u << 10}, .type = info(DType::f16).gguf_code});
  check_throws(ErrorCode::out_of_memory, "needs 4398047 MB for weights", [&] { load_bytes(writer.finish(), options); });
}

TEST_CASE("a limit beyond the address space is no limit", "[runtime][load]") {
  LoadOptions options;
  options.memory_limit = ~std::uint64_t{0};
  CHECK(load_bytes(tiny_llama(), options)->info().context_length == 64);
}

TEST_CASE("the context length is the model's, limited by memory, or as requested", "[runtime][load]") {
  const auto file = test::chain_model({"a"}, 4096);
  LoadOptions options;
  CHECK(load_bytes(file)->info().context_length == 4096);
  options.memory_limit = 300'000;
  const ModelInfo smaller = load_bytes(file, options)->info();
  CHECK(smaller.context_length < 4096);
  CHECK(smaller.context_length >= 512);
  CHECK(smaller.trained_context_length == 4096);
  options = {};
  options.context_length = 100;
  CHECK(load_bytes(file, options)->info().context_length == 100);
  for (const std::size_t context : {0, 4097}) {
    options.context_length = context;
    check_throws(ErrorCode::invalid_argument, "context_length: must be from 1 to the model's 4096, not " + std::to_string(context),
                 [&] { load_bytes(file, options); });
  }
}

TEST_CASE("targets and threads that there are not are refused before anything is read", "[runtime][load]") {
  LoadOptions options;
  options.target = "abacus";
  check_throws(ErrorCode::invalid_argument, "no kernel target 'abacus' runs here", [&] { Loader loader(options); });
  options.target = {};
  for (const std::size_t threads : {0, 257}) {
    options.threads = threads;
    check_throws(ErrorCode::invalid_argument, "threads: must be 1 to 256", [&] { Loader loader(options); });
  }
}

TEST_CASE("files are loaded by path", "[runtime][load]") {
  const auto file = tiny_llama();
  const auto path = (std::filesystem::temp_directory_path() / "heed-load-test.gguf").string();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  CHECK(model_logits(*load_file(path, {}), kLoadedTokens) == model_logits(*load_bytes(file), kLoadedTokens));
  std::filesystem::remove(path);
  check_throws(ErrorCode::io, path + ": cannot be opened", [&] { load_file(path, {}); });
  const auto folder = std::filesystem::temp_directory_path().string();
  check_throws(ErrorCode::io, folder, [&] { load_file(folder, {}); });
}

TEST_CASE("warming up changes nothing", "[runtime][load]") {
  const auto file = tiny_llama();
  Loader loader{{}};
  const auto bytes = std::as_bytes(std::span(file));
  loader.write(bytes.first(bytes.size() - 1));
  REQUIRE(loader.info());
  loader.warm_up();
  loader.write(bytes.last(1));
  const auto model = loader.finish();
  const auto cold = load_bytes(file, {});
  const std::vector<TokenId> tokens{1, 2, 3};
  CHECK(test::model_logits(*model, tokens, 3) == test::model_logits(*cold, tokens, 3));
}

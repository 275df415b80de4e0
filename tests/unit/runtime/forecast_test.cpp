// What a load will take, from the header of its file alone.
#include "runtime/forecast.hpp"

#include <catch2/catch_test_macros.hpp>

#include "formats/gguf.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/tiny_model.hpp"
#include "unit/runtime/chain_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::load_bytes;
using test::tiny_llama;

namespace {

std::span<const std::byte> header_of(std::span<const std::byte> file) {
  formats::GgufHeaderReader reader;
  reader.write(file);
  return file.first(static_cast<std::size_t>(reader.header_bytes()));
}

}  // namespace

TEST_CASE("the forecast of a load is what the load takes", "[runtime][load]") {
  for (const DType dtype : {DType::f32, DType::q8_0}) {
    const auto file = tiny_llama(dtype);
    LoadOptions options;
    for (options.threads = 1; options.threads <= 2; ++options.threads)
      for (const std::size_t context : {std::size_t{8}, std::size_t{64}}) {
        options.context_length = context;
        const Forecast found = forecast(header_of(file), options);
        const auto model = load_bytes(file, options);
        const ModelInfo& info = model->info();
        CHECK(found.info.memory_bytes == info.memory_bytes);
        CHECK(found.info.context_bytes == info.context_bytes);
        CHECK(found.info.context_length == info.context_length);
        CHECK(found.info.parallel == info.parallel);
        CHECK(found.info.parameters == info.parameters);
        CHECK(found.info.kv_cache == info.kv_cache);
        CHECK(found.limit == info.memory_bytes + info.sequence_bytes);
        CHECK(found.weights < found.info.memory_bytes);
        CHECK(found.reading > 0);
        CHECK(found.writing > 0);
      }
  }
}

TEST_CASE("the longest context of a forecast is the longest that loads", "[runtime][load]") {
  const auto file = test::chain_model({"a", "b", "c", "d"}, 1000);
  LoadOptions options;
  options.parallel = 1;
  options.kv_cache = KvType::f32;
  const Forecast whole = forecast(header_of(file), options);
  const std::size_t trained = whole.info.trained_context_length;
  CHECK(whole.longest_context == trained);
  for (const std::uint64_t part : {2, 3, 5}) {
    options.context_length = trained;
    options.memory_limit = whole.info.memory_bytes + whole.info.context_bytes / part;
    const std::size_t longest = forecast(header_of(file), options).longest_context;
    CHECK(longest > 0);
    CHECK(longest < trained);
    const std::string fits = "a context of " + std::to_string(longest) + " fits";
    test::check_throws(ErrorCode::out_of_memory, fits, [&] { load_bytes(file, options); });
    options.context_length = longest + 1;
    test::check_throws(ErrorCode::out_of_memory, fits, [&] { load_bytes(file, options); });
    options.context_length = longest;
    CHECK(load_bytes(file, options)->info().context_length == longest);
  }
  options.memory_limit = 1000;
  CHECK(forecast(header_of(file), options).longest_context == 0);
}

TEST_CASE("without a type of cache, the longest context of a forecast is the longest with any", "[runtime][load]") {
  const auto file = test::chain_model({"a", "b", "c", "d"}, 1000);
  LoadOptions options;
  options.parallel = 1;
  options.kv_cache = KvType::f32;
  const Forecast whole = forecast(header_of(file), options);
  options.context_length = whole.info.trained_context_length;
  options.memory_limit = whole.info.memory_bytes + whole.info.context_bytes / 5;
  std::size_t longest = 0;
  for (const KvType type : {KvType::f32, KvType::int16, KvType::q8, KvType::q4}) {
    options.kv_cache = type;
    longest = std::max(longest, forecast(header_of(file), options).longest_context);
  }
  options.kv_cache.reset();
  CHECK(forecast(header_of(file), options).longest_context == longest);
  options.context_length = longest;
  const Forecast found = forecast(header_of(file), options);
  CHECK(found.info.kv_cache != KvType::f32);
  const auto model = load_bytes(file, options);
  CHECK(model->info().kv_cache == found.info.kv_cache);
  CHECK(model->info().context_bytes == found.info.context_bytes);
}

TEST_CASE("a forecast needs a whole header, and refuses what a load refuses", "[runtime][load]") {
  const auto file = tiny_llama(DType::f32);
  const auto header = header_of(file);
  test::check_throws(ErrorCode::invalid_file, "", [&] { forecast(header.first(header.size() - 1), {}); });
  LoadOptions long_context, many;
  long_context.context_length = 1'000'000;
  many.parallel = kMostParallel + 1;
  test::check_throws(ErrorCode::invalid_argument, "context_length", [&] { forecast(header, long_context); });
  test::check_throws(ErrorCode::invalid_argument, "parallel", [&] { forecast(header, many); });
}

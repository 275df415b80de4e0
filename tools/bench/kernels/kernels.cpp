// Measures every kernel, on every target that runs here, for every weight and cache format: one thread, one line of JSON per
// figure. Arguments: comma-separated lists of kernels, targets and formats to run; empty: all.
#include <chrono>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/dispatch.hpp"
#include "matrix.hpp"

namespace heed::bench {
namespace {

using kernels::Kernels;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kColumns = 2048;
/// Rows of the matrix for products with one token or a few: larger than caches.
constexpr std::size_t kRows = 32768;
/// Rows of the matrix for products with many tokens, and the number of tokens.
constexpr std::size_t kFewRows = 256, kTokens = 64;
constexpr std::size_t kHeadDim = 64, kHeads = 32, kPositions = 1024;
/// The number of elements for norms and activations.
constexpr std::size_t kWidth = 2048;
/// The length and number of measured spans: short and many, so that some run undisturbed by other programs on this core.
constexpr double kSeconds = 0.003;
constexpr int kSpans = 40;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

/// Whether a comma-separated list contains `name`; an empty list contains everything.
bool has(std::string_view list, std::string_view name) {
  if (list.empty()) return true;
  for (;;) {
    const std::size_t comma = list.find(',');
    if (list.substr(0, comma) == name) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 1);
  }
}

/// Seconds per call: the mean over the fastest span.
template <class Call>
double seconds_of(Call call) {
  call();
  double best = 1e9;
  for (int span = 0; span < kSpans; ++span) {
    const auto start = Clock::now();
    double passed = 0;
    int calls = 0;
    do {
      call();
      ++calls;
      passed = std::chrono::duration<double>(Clock::now() - start).count();
    } while (passed < kSeconds);
    best = std::min(best, passed / calls);
  }
  return best;
}

class Bench {
 public:
  Bench(const Kernels& table, std::string_view kernels, std::string_view formats)
      : table_(table), kernels_(kernels), formats_(formats) {}

  void operator()() {
    for (const auto& type : kDTypes) products(type);
    vectors();
    for (const KvType type : {KvType::f32, KvType::f16, KvType::int16, KvType::q8, KvType::q4}) attention(type);
  }

 private:
  /// The bytes and multiplications of one call, if these limit its speed.
  struct Work {
    std::size_t bytes = 0, products = 0;
  };

  bool wants(std::string_view kernel, std::string_view format) const { return has(kernels_, kernel) && has(formats_, format); }

  template <class Call>
  void measure(std::string_view kernel, std::string_view format, Work work, Call call) {
    if (!wants(kernel, format)) return;
    const double seconds = seconds_of(call);
    nlohmann::ordered_json row{{"kernel", kernel}, {"target", table_.name}, {"format", format}, {"ns", seconds * 1e9}};
    if (work.bytes) row["gigabytesPerSecond"] = static_cast<double>(work.bytes) / seconds / 1e9;
    if (work.products) row["gigaproductsPerSecond"] = static_cast<double>(work.products) / seconds / 1e9;
    std::puts(row.dump().c_str());
    std::fflush(stdout);
  }

  void products(const DTypeInfo& type) {
    const std::string name = lower(type.name);
    if (wants("gemv", name)) product("gemv", type, kRows, 1);
    for (const std::size_t tokens : {2, 3, 4, 5, 8})
      if (const auto kernel = "gemm" + std::to_string(tokens); wants(kernel, name)) product(kernel, type, kRows, tokens);
    if (wants("gemm", name)) product("gemm", type, kFewRows, kTokens);
    if (!wants("pack_row", name) && !wants("unpack_row", name)) return;
    const auto w = packed_matrix(table_, type.dtype, kFewRows, kColumns, weights_);
    const std::size_t bytes = row_bytes(type.dtype, kColumns);
    const auto stored = stored_bytes(bytes);
    std::vector<float> values(kColumns);
    measure("pack_row", name, {.bytes = bytes}, [&] { table_.pack_row(w, 1, stored.data()); });
    measure("unpack_row", name, {.bytes = bytes}, [&] { table_.unpack_row(w, 1, values.data()); });
  }

  void product(std::string_view kernel, const DTypeInfo& type, std::size_t rows, std::size_t tokens) {
    const auto w = packed_matrix(table_, type.dtype, rows, kColumns, weights_);
    Activations x(table_, tokens, kColumns);
    const std::size_t panels = rows / table_.panel_rows;
    const std::string name = lower(type.name);
    std::vector<float> y(tokens * rows);
    measure(kernel, name, {.bytes = rows == kRows ? panels * w.panel_bytes : 0, .products = tokens * rows * kColumns}, [&] {
      if (tokens <= kernels::kFewTokens)
        table_.matvec(w, x.input(), nullptr, 0, kernels::panel_pairs(panels), y.data(), rows, x.scratch());
      else table_.matmul(w, x.input(), nullptr, 0, panels, y.data(), rows, x.scratch());
    });
  }

  void vectors() {
    Activations x(table_, 1, kWidth);
    const std::vector<float> weight(kWidth, 1.0f), up(kWidth, 0.5f), angle(kHeadDim / 2, 0.7f);
    std::vector<float> y(kWidth);
    const Work read{.bytes = kWidth * sizeof(float)};
    measure("quantize", "f32", read, [&] { table_.quantize(x.input(), 0, x.quantized()); });
    measure("rms_norm", "f32", read, [&] { table_.rms_norm(x.values(), weight.data(), 1e-5f, kWidth, y.data()); });
    measure("layer_norm", "f32", read, [&] { table_.layer_norm(x.values(), weight.data(), up.data(), 1e-5f, kWidth, y.data()); });
    measure("rope", "f32", read, [&] { table_.rope(y.data(), kHeads, kHeadDim, kHeadDim, angle.data(), angle.data()); });
    // Kernels that work in place get fresh values each time; copying these is part of the figure.
    const auto in_place = [&](std::string_view kernel, auto call) {
      measure(kernel, "f32", read, [&] {
        std::copy_n(x.values(), kWidth, y.data());
        call();
      });
    };
    in_place("silu", [&] { table_.activate(kernels::Activation::silu, y.data(), up.data(), kWidth); });
    in_place("gelu_tanh", [&] { table_.activate(kernels::Activation::gelu_tanh, y.data(), nullptr, kWidth); });
    in_place("add", [&] { table_.add(y.data(), up.data(), kWidth); });
    in_place("softmax", [&] { table_.softmax(y.data(), kWidth); });
  }

  /// As in decode: the query heads of one kv head together.
  void attention(KvType type) {
    const auto bytes = static_cast<std::size_t>(kernels::kv_chunk_bytes(type, kHeadDim, kHeadDim));
    Buffer<std::byte> data(kPositions / kernels::kAttentionChunk * bytes);
    std::vector<kernels::KvChunk> chunks;
    for (std::size_t at = 0; at < data.size(); at += bytes) chunks.push_back({data.data() + at, 0});
    std::vector<float> mixed(kernels::kQueryTile * kHeadDim);
    std::vector<float> scratch(kernels::attention_scratch(kHeadDim, kHeadDim)), output(kHeadDim);
    Activations x(table_, 1, kHeadDim);
    const kernels::KvHead kv{type, kHeadDim, kHeadDim, chunks.data()};
    for (std::size_t position = 0; position < kPositions; ++position) table_.store_kv(kv, position, x.values(), x.values());
    measure("store_kv", to_string(type), {}, [&] { table_.store_kv(kv, 7, x.values(), x.values()); });
    measure("attention", to_string(type), {.bytes = data.size(), .products = 2 * kPositions * kHeadDim * kernels::kQueryTile}, [&] {
      kernels::AttentionQuery queries[kernels::kQueryTile];
      for (std::size_t i = 0; i < kernels::kQueryTile; ++i) {
        queries[i].query = x.values();
        queries[i].end = kPositions;
        queries[i].partial.mixed = mixed.data() + i * kHeadDim;
      }
      table_.attention({kv, 0.125f, 0.0f, queries, kernels::kQueryTile, scratch.data()}, 0, kPositions / kernels::kAttentionChunk);
      for (const auto& query : queries) table_.finish_attention(query, kv, output.data());
    });
  }

  const Kernels& table_;
  std::string_view kernels_, formats_;
  Buffer<std::byte> weights_;
};

}  // namespace
}  // namespace heed::bench

int main(int count, char** arguments) {
  std::string_view lists[3];
  for (int i = 1; i < count && i <= 3; ++i) lists[i - 1] = arguments[i];
  const auto [kernels, targets, formats] = lists;
  try {
    for (const auto* table : heed::kernels::available())
      if (heed::bench::has(targets, table->name)) heed::bench::Bench(*table, kernels, formats)();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

#include "runtime/forecast.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "base/thread_pool.hpp"
#include "formats/gguf.hpp"
#include "formats/whisper_file.hpp"
#include "kernels/dispatch.hpp"
#include "models/registry.hpp"
#include "nn/per_layer_embedding.hpp"
#include "nn/settle.hpp"
#include "runtime/describe.hpp"
#include "runtime/memory_plan.hpp"
#include "tensor/buffer.hpp"

namespace heed::runtime {
namespace {

formats::TensorFile read_header(std::span<const std::byte> header) {
  const bool is_whisper = !header.empty() && formats::WhisperFileReader::begins(header.front());
  return is_whisper ? formats::read_whisper_header(header) : formats::read_gguf_header(header);
}

/// Bytes of the packed matrices that a token is multiplied by.
struct Work {
  double inside = 0;   // in the layers
  double outside = 0;  // for the logits, which a prompt needs only for its last token
};

Work work_of(const formats::TensorFile& file, const ModelInfo& info, const kernels::Kernels& kernels) {
  Work work;
  const bool ties = !file.find("output.weight");
  for (const auto& tensor : file.tensors) {
    if (tensor.shape.size() == 1 || nn::PerLayerEmbedding::keeps_as_stored(tensor.name)) continue;
    const auto bytes = static_cast<double>(packed_bytes(tensor, kernels));
    if (tensor.name == "output.weight" || (ties && tensor.name == "token_embd.weight")) {
      if (info.generates) work.outside += bytes;
    } else if (tensor.name != "token_embd.weight") {
      const bool of_experts = tensor.shape.size() == 3 && info.experts > 0 && tensor.shape[0] == info.experts;
      work.inside += of_experts ? bytes * static_cast<double>(info.experts_used) / static_cast<double>(info.experts) : bytes;
    }
  }
  return work;
}

/// Multiplies tokens by a matrix with the model's type of weights, larger than the caches of most machines.
class Probe {
 public:
  Probe(const kernels::Kernels& kernels, DType type, ThreadPool& pool)
      : kernels_(kernels),
        pool_(pool),
        panels_(std::max<std::size_t>(kBytes / kernels.panel_bytes(type, kColumns), 2)),
        weights_(panels_ * kernels.panel_bytes(type, kColumns)),
        w_{type, panels_ * kernels.panel_rows, kColumns, kernels.panel_bytes(type, kColumns), weights_.data()} {
    std::memset(weights_.data(), 0x11, weights_.size());  // memory that was never written may share one page
  }

  /// Seconds per byte of the matrix and per token, in the fastest run.
  double seconds(std::size_t tokens) {
    using Clock = std::chrono::steady_clock;
    std::vector<float> x(tokens * kColumns, 1.0f), y(tokens * w_.rows);
    std::vector<std::byte> quantized(kernels::quantized_bytes(tokens, kColumns));
    std::vector<std::int16_t> widened(tokens * kColumns);
    const std::size_t room = kernels::matmul_scratch(kColumns);
    std::vector<std::byte> scratch(room * pool_.threads());
    const kernels::MatmulInput input{tokens, kColumns, x.data(), quantized.data(), widened.data()};
    if (kernels::takes_int8(w_.dtype))
      quantize_tokens(kernels_, input, 0, tokens, quantized.data(), kernels_.reads_widened(w_.dtype) ? widened.data() : nullptr);
    std::chrono::duration<double> best{1e9};
    for (const auto end = Clock::now() + kTime; Clock::now() < end;) {
      const auto start = Clock::now();
      const std::size_t steps = tokens == 1 ? kernels::panel_pairs(panels_) : panels_;
      pool_.parallel_for(steps, 8, [&](std::size_t from, std::size_t to, std::size_t thread) noexcept {
        if (tokens == 1) kernels_.matvec(w_, input, nullptr, from, to, y.data(), 0, nullptr);
        else kernels_.matmul(w_, input, nullptr, from, to, y.data(), w_.rows, scratch.data() + thread * room);
      });
      best = std::min<std::chrono::duration<double>>(best, Clock::now() - start);
    }
    return best.count() / static_cast<double>(weights_.size() * tokens);
  }

 private:
  static constexpr std::size_t kColumns = 2048, kBytes = std::size_t{16} << 20;
  static constexpr auto kTime = std::chrono::milliseconds(60);

  const kernels::Kernels& kernels_;
  ThreadPool& pool_;
  std::size_t panels_;
  Buffer<std::byte> weights_;
  kernels::PackedMatrix w_;
};

}  // namespace

Forecast forecast(std::span<const std::byte> header, const LoadOptions& options) {
  const kernels::Kernels& kernels = kernels::select(options.target);
  const formats::TensorFile file = read_header(header);
  nn::ModelSpec spec = models::model_spec(file.metadata);
  choose_draft_heads(spec, file, options);
  nn::settle(spec, file);
  Forecast forecast{describe(spec, file)};
  ModelInfo& info = forecast.info;
  const MemoryPlan plan(spec, file, options, kernels);
  plan.choose(info);
  forecast.limit = plan.limit();
  forecast.weights = plan.weights();
  forecast.longest_context = plan.longest_context(info);
  if (!info.generates && !info.embeds) return forecast;
  constexpr std::size_t kTokens = 64;
  const Work work = work_of(file, info, kernels);
  ThreadPool pool(options.threads);
  Probe probe(kernels, main_dtype(file), pool);
  const double one = probe.seconds(1);
  if (info.generates) forecast.writing = 1 / (one * (work.inside + work.outside));
  forecast.reading = 1 / (probe.seconds(kTokens) * work.inside);
  return forecast;
}

}  // namespace heed::runtime

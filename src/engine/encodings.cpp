// The engine's runs on given inputs, one pass each: texts in an encoder, images in a vision encoder.
#include <utility>

#include "engine/engine.hpp"
#include "engine/interrupted.hpp"
#include "runtime/encoder_run.hpp"

namespace heed::engine {
namespace {

/// Runs as many of the texts, from the first on, as one pass can, and returns how many; absent if interrupted.
std::optional<std::size_t> encode(runtime::Workspace& workspace, runtime::EncoderRun& run,
                                  std::span<const std::vector<TokenId>> texts) {
  if (texts.empty()) return 0;
  std::vector<runtime::EncoderRun::Text> spans(texts.begin(), texts.end());
  spans.resize(run.fitting(spans));
  if (interrupted(workspace, !run(spans))) return std::nullopt;
  return spans.size();
}

}  // namespace

std::optional<std::vector<std::vector<float>>> Engine::embed(std::span<const std::vector<TokenId>> texts,
                                                             const runtime::EmbeddingForm& form) {
  runtime::EncoderRun run(workspace_);
  const auto count = encode(workspace_, run, texts);
  if (!count) return std::nullopt;
  std::vector<std::vector<float>> vectors;
  vectors.reserve(*count);
  for (std::size_t i = 0; i < *count; ++i) vectors.push_back(run.embedding(i, form));
  return vectors;
}

std::optional<std::vector<float>> Engine::predict(std::span<const TokenId> tokens) {
  runtime::EncoderRun run(workspace_);
  if (interrupted(workspace_, !run(tokens))) return std::nullopt;
  return run.logits();
}

std::optional<std::vector<runtime::Unmasked>> Engine::unmask(std::span<const TokenId> text, std::size_t from, std::size_t end,
                                                             sampling::SamplerOptions options) {
  auto tokens = runtime::unmask(workspace_, text, from, end, std::move(options));
  interrupted(workspace_, !tokens);
  return tokens;
}

std::optional<std::vector<float>> Engine::scores(std::span<const std::vector<TokenId>> pairs) {
  runtime::EncoderRun run(workspace_);
  const auto count = encode(workspace_, run, pairs);
  if (!count) return std::nullopt;
  std::vector<float> scores;
  scores.reserve(*count);
  for (std::size_t i = 0; i < *count; ++i) scores.push_back(run.scores(i)[0]);
  return scores;
}

std::unique_ptr<runtime::Recorder> Engine::record_encoder(std::span<const TokenId> tokens, std::vector<runtime::Request> requests) {
  auto recorder = std::make_unique<runtime::Recorder>(*model_, std::move(requests));
  runtime::EncoderRun run(workspace_);
  if (interrupted(workspace_, !run(tokens, recorder.get()))) recorder.reset();
  return recorder;
}

std::optional<std::vector<float>> Engine::embed_image(const runtime::Image& image, runtime::Pooling pooling, bool normalized) {
  runtime::VisionRun run(workspace_);
  if (interrupted(workspace_, !run(image))) return std::nullopt;
  return run.embedding(pooling, normalized);
}

std::optional<std::vector<float>> Engine::classify(const runtime::Image& image) {
  runtime::VisionRun run(workspace_);
  if (interrupted(workspace_, !run(image))) return std::nullopt;
  return run.classes();
}

std::unique_ptr<runtime::Recorder> Engine::record_image(const runtime::Image& image, std::vector<runtime::Request> requests) {
  runtime::VisionRun run(workspace_);
  auto recorder = std::make_unique<runtime::Recorder>(*model_, std::move(requests));
  if (interrupted(workspace_, !run(image, recorder.get()))) recorder.reset();
  return recorder;
}

}  // namespace heed::engine

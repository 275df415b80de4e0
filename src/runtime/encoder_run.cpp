#include "runtime/encoder_run.hpp"

#include "base/error.hpp"
#include "nn/encoder.hpp"
#include "runtime/token_checks.hpp"

namespace heed::runtime {
namespace {

const nn::Encoder& encoder_of(const Workspace& workspace) {
  if (const nn::Encoder* encoder = workspace.model().encoder()) return *encoder;
  throw Error(ErrorCode::unsupported, "has no encoder, and its file does not specify how to pool a decoder",
              workspace.model().info().architecture);
}

}  // namespace

EncoderRun::EncoderRun(Workspace& workspace) : workspace_(workspace) { encoder_of(workspace); }

std::size_t EncoderRun::fitting(std::span<const Text> texts) const noexcept {
  const ModelInfo& info = workspace_.model().info();
  std::size_t count = 0, tokens = 0;
  for (const Text& text : texts.first(std::min(texts.size(), info.parallel))) {
    tokens += text.size();
    if (count > 0 && tokens > info.context_length) break;
    ++count;
  }
  return count;
}

bool EncoderRun::operator()(std::span<const Text> texts, Recorder* recorder) {
  const nn::Encoder& encoder = encoder_of(workspace_);
  ends_.clear();
  if (texts.size() > workspace_.model().info().parallel) throw Error(ErrorCode::invalid_argument, "too many for one pass", "texts");
  if (recorder && (texts.size() != 1 || !recorder->hears(AttentionOf::encoder)))
    throw Error(ErrorCode::invalid_argument, "records something else than what is being run", "recorder");

  std::vector<nn::KvCache> caches;
  std::vector<nn::Segment> segments;
  std::vector<tokenizer::TokenId> tokens;
  caches.reserve(texts.size());
  for (const Text& text : texts) {
    if (text.empty()) throw Error(ErrorCode::invalid_argument, "must have at least one token", "tokens");
    check_tokens(text, tokens.size(), encoder.spec().embedding.vocabulary, workspace_.model().info().context_length);
    caches.emplace_back(*workspace_.encoder_caches()).make_room(text.size());
    segments.push_back({.cache = caches.back(), .count = text.size(), .row = tokens.size()});
    tokens.insert(tokens.end(), text.begin(), text.end());
  }
  if (recorder) recorder->watch(segments.front(), AttentionOf::encoder);
  nn::Pass pass = workspace_.make_pass(segments, tokens.size());
  if (!workspace_.run(tokens.size(), [&] { return encoder.forward(tokens, pass, workspace_.hidden().data()); })) return false;
  for (const nn::Segment& segment : segments) ends_.push_back(segment.row + segment.count);
  return true;
}

std::span<const float> EncoderRun::hidden(std::size_t text) const noexcept {
  const std::size_t width = encoder_of(workspace_).spec().stack.width, begin = text == 0 ? 0 : ends_[text - 1];
  return workspace_.hidden().subspan(begin * width, (ends_[text] - begin) * width);
}

std::vector<float> EncoderRun::embedding(std::size_t text, const EmbeddingForm& form) const {
  const nn::Encoder& encoder = encoder_of(workspace_);
  const nn::EncoderSpec& spec = encoder.spec();
  return embed(hidden(text), spec.stack.width, spec.pooling, encoder.projections(), form, workspace_);
}

std::vector<float> EncoderRun::logits_of(std::span<const float> hidden) const {
  const nn::Encoder& encoder = encoder_of(workspace_);
  if (!encoder.head()) throw Error(ErrorCode::unsupported, "does not predict tokens", workspace_.model().info().architecture);
  return project_rows(hidden, encoder.spec().stack.width, *encoder.head(), workspace_);
}

std::vector<float> EncoderRun::logits_for(std::size_t position) const {
  const nn::EncoderSpec& spec = encoder_of(workspace_).spec();
  const std::size_t row = position - (spec.predicts_next && position > 0 ? 1 : 0);
  return logits_of(hidden().subspan(row * spec.stack.width, spec.stack.width));
}

std::vector<float> EncoderRun::scores(std::size_t text) const {
  const nn::EncoderSpec& spec = encoder_of(workspace_).spec();
  const nn::ScoreHead* head = encoder_of(workspace_).score_head();
  if (!head) throw Error(ErrorCode::unsupported, "is not a reranker", workspace_.model().info().architecture);
  const std::vector<float> pooled = pool(hidden(text), spec.stack.width, spec.pooling);
  std::vector<float> dense(spec.stack.width), scores(head->size());
  nn::Pass pass = workspace_.make_pass({}, 1);
  (*head)(pooled.data(), dense.data(), scores.data(), pass);
  return scores;
}

}  // namespace heed::runtime

#include "runtime/sequence.hpp"

#include <algorithm>
#include <new>
#include <string>

#include "base/error.hpp"
#include "nn/decoder.hpp"
#include "runtime/encoder_run.hpp"
#include "runtime/token_checks.hpp"

namespace heed::runtime {
namespace {

nn::KvCachePool& decoder_caches_of(Workspace& workspace) {
  if (nn::KvCachePool* caches = workspace.decoder_caches()) return *caches;
  throw Error(ErrorCode::unsupported, "has no decoder", workspace.model().info().architecture);
}

/// Calls KvCache::reserve or KvCache::make_room, with an error for users instead of std::bad_alloc.
void allocate(nn::KvCache& cache, void (nn::KvCache::*function)(std::size_t), std::size_t positions) {
  try {
    (cache.*function)(positions);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "not enough memory for " + std::to_string(positions) + " tokens", "context_length");
  }
}

void check(std::span<const ForwardInput> inputs, std::span<float> logits, const Model& model) {
  const std::size_t vocabulary = model.decoder()->spec().embedding.vocabulary;
  std::size_t tokens = 0, rows = 0;
  for (const ForwardInput& input : inputs) {
    tokens += input.tokens.size();
    rows += input.rows;
    if (input.tokens.empty() || tokens > kMaxBatch)
      throw Error(ErrorCode::invalid_argument, "a batch must have from 1 to " + std::to_string(kMaxBatch) + " tokens", "tokens");
    if (input.rows > input.tokens.size())
      throw Error(ErrorCode::invalid_argument, "must have room for whole rows, at most one per token", "logits");
  }
  if (logits.size() != rows * vocabulary)
    throw Error(ErrorCode::invalid_argument, "must have room for whole rows, at most one per token", "logits");
  if (inputs.size() > model.info().parallel)
    throw Error(ErrorCode::invalid_argument, "a pass can have at most " + std::to_string(model.info().parallel) + " sequences",
                "inputs");
  for (const ForwardInput& input : inputs)
    check_tokens(input.tokens, input.sequence->tokens().size(), vocabulary, model.info().context_length);
}

}  // namespace

Sequence::Sequence(Workspace& workspace) : workspace_(&workspace), cache_(decoder_caches_of(workspace)) {
  if (nn::KvCachePool* caches = workspace.cross_caches()) cross_cache_.emplace(*caches);
}

void Sequence::truncate(std::size_t length) noexcept {
  if (length < tokens_.size()) tokens_.resize(cache_.cut(length));
}

void Sequence::change(Changes changes) {
  if (!changes.empty() && model().encoder())
    throw Error(ErrorCode::unsupported, "adapters and edits are for decoders alone", model().info().architecture);
  truncate(alike_until(changes_, changes));
  changes_ = std::move(changes);
}

void Sequence::reserve(std::size_t length) { allocate(cache_, &nn::KvCache::reserve, std::min(length, context_length())); }

void Sequence::make_room(std::size_t count) { allocate(cache_, &nn::KvCache::make_room, tokens_.size() + count); }

void Sequence::attend_to(const EncoderRun& encoded) {
  truncate(0);
  const std::span<const float> hidden = encoded.hidden();
  encoder_positions_ = 0;
  cross_cache_.emplace(*workspace_->cross_caches());
  const std::size_t width = model().spec().encoder->stack.width, positions = hidden.size() / width;
  allocate(*cross_cache_, &nn::KvCache::make_room, positions);
  nn::Segment segment{.cache = cache_, .cross_cache = &*cross_cache_, .encoder_positions = positions};
  nn::Pass pass = workspace_->make_pass({&segment, 1}, positions);
  model().decoder()->stack().cache_encoder_output({const_cast<float*>(hidden.data()), positions, width}, pass);
  encoder_positions_ = positions;
}

std::size_t Sequence::load(std::span<const std::byte> saved, std::span<const TokenId> tokens) {
  check_tokens(tokens, 0, model().info().vocabulary, context_length());
  tokens_.assign(tokens.begin(), tokens.end());
  try {
    return cache_.load(saved, tokens.size(), model().kernels(), model().pool());
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "not enough memory for " + std::to_string(tokens.size()) + " tokens", "session");
  }
}

bool Sequence::forward(std::span<const TokenId> tokens, std::span<float> logits, Probe* probe) {
  const std::size_t vocabulary = model().decoder()->spec().embedding.vocabulary;
  const ForwardInput input{this, tokens, logits.size() / vocabulary, probe};
  return runtime::forward(*workspace_, {&input, 1}, logits);
}

bool forward(Workspace& workspace, std::span<const ForwardInput> inputs, std::span<float> logits) {
  check(inputs, logits, workspace.model());
  std::vector<nn::Segment> segments;
  std::vector<TokenId> tokens;
  std::vector<std::size_t> rows;
  std::vector<nn::AdaptedRows> adapted;
  for (const auto& [sequence, ids, wanted, probe] : inputs) {
    if (sequence->cross_cache_ && sequence->encoder_positions_ == 0)
      throw Error(ErrorCode::invalid_argument, "no encoded text for the decoder to attend to", "tokens");
    const std::size_t position = sequence->tokens_.size();
    sequence->make_room(ids.size());
    nn::Segment& segment = segments.emplace_back(nn::Segment{.cache = sequence->cache_,
                                                             .position = position,
                                                             .count = ids.size(),
                                                             .row = tokens.size(),
                                                             .cross_cache = sequence->cross_cache_ ? &*sequence->cross_cache_
                                                                                                   : nullptr,
                                                             .encoder_positions = sequence->encoder_positions_});
    if (probe) probe->watch(segment);
    segment.editor = sequence->changes_.edits.get();
    append_rows(sequence->changes_, position, ids.size(), segment.row, adapted);
    tokens.insert(tokens.end(), ids.begin(), ids.end());
    for (std::size_t i = wanted; i > 0; --i) rows.push_back(tokens.size() - i);
    sequence->tokens_.reserve(position + ids.size());
  }

  nn::Pass pass = workspace.make_pass(segments, tokens.size());
  const nn::Adaptation adaptation(adapted, workspace.adapter_scratch(adapted));
  if (!adapted.empty()) pass.adaptation = &adaptation;
  const nn::Decoder& decoder = *workspace.model().decoder();
  const bool done = workspace.run(tokens.size(), [&] { return decoder.forward(tokens, pass, logits.data(), rows); });
  if (done) workspace.costs().record(tokens.size(), workspace.seconds());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Sequence& sequence = *inputs[i].sequence;
    if (done) {
      sequence.cache_.wrote(segments[i].end());
      sequence.tokens_.insert(sequence.tokens_.end(), inputs[i].tokens.begin(), inputs[i].tokens.end());
    } else {
      sequence.tokens_.resize(sequence.cache_.undo());
    }
  }
  return done;
}

}  // namespace heed::runtime

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

nn::KvMemory& memory_of(Workspace& workspace) {
  if (nn::KvMemory* memory = workspace.decoder_memory()) return *memory;
  throw Error(ErrorCode::unsupported, "has no decoder", workspace.model().info().architecture);
}

/// Takes memory in one of the ways that a KvCache has for that.
void take(nn::KvCache& cache, void (nn::KvCache::*how)(std::size_t), std::size_t positions) {
  try {
    (cache.*how)(positions);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "not enough memory for " + std::to_string(positions) + " tokens", "context_length");
  }
}

void check(std::span<const Reading> readings, std::span<float> logits, const Model& model) {
  const std::size_t vocabulary = model.decoder()->spec().embedding.vocabulary;
  std::size_t tokens = 0, rows = 0;
  for (const Reading& reading : readings) {
    tokens += reading.tokens.size();
    rows += reading.rows;
    if (reading.tokens.empty() || tokens > kMaxBatch)
      throw Error(ErrorCode::invalid_argument, "a batch must have from 1 to " + std::to_string(kMaxBatch) + " tokens", "tokens");
    if (reading.rows > reading.tokens.size())
      throw Error(ErrorCode::invalid_argument, "must have room for whole rows, at most one per token", "logits");
  }
  if (logits.size() != rows * vocabulary)
    throw Error(ErrorCode::invalid_argument, "must have room for whole rows, at most one per token", "logits");
  if (readings.size() > model.info().parallel)
    throw Error(ErrorCode::invalid_argument, "a pass can have at most " + std::to_string(model.info().parallel) + " sequences",
                "readings");
  for (const Reading& reading : readings)
    check_tokens(reading.tokens, reading.sequence->tokens().size(), vocabulary, model.info().context);
}

}  // namespace

Sequence::Sequence(Workspace& workspace) : workspace_(&workspace), cache_(memory_of(workspace)) {
  if (nn::KvMemory* memory = workspace.cross_memory()) memory_.emplace(*memory);
}

void Sequence::truncate(std::size_t length) noexcept {
  if (length < tokens_.size()) tokens_.resize(cache_.cut(length));
}

void Sequence::expect(std::size_t length) { take(cache_, &nn::KvCache::expect, std::min(length, capacity())); }

void Sequence::make_room(std::size_t count) { take(cache_, &nn::KvCache::make_room, tokens_.size() + count); }

void Sequence::attend_to(const EncoderRun& encoded) {
  truncate(0);
  const std::span<const float> hidden = encoded.hidden();
  memory_positions_ = 0;
  memory_.emplace(*workspace_->cross_memory());
  const std::size_t width = model().spec().encoder->stack.width, positions = hidden.size() / width;
  take(*memory_, &nn::KvCache::make_room, positions);
  nn::Segment segment{.cache = cache_, .memory = &*memory_, .memory_positions = positions};
  nn::Pass pass = workspace_->make_pass({&segment, 1}, positions);
  model().decoder()->stack().cache_encoder_output({const_cast<float*>(hidden.data()), positions, width}, pass);
  memory_positions_ = positions;
}

std::size_t Sequence::load(std::span<const std::byte> saved, std::span<const TokenId> tokens) {
  check_tokens(tokens, 0, model().info().vocabulary, capacity());
  tokens_.assign(tokens.begin(), tokens.end());
  try {
    return cache_.load(saved, tokens.size(), model().kernels(), model().pool());
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "not enough memory for " + std::to_string(tokens.size()) + " tokens", "session");
  }
}

bool Sequence::forward(std::span<const TokenId> tokens, std::span<float> logits, Probe* probe) {
  const std::size_t vocabulary = model().decoder()->spec().embedding.vocabulary;
  const Reading reading{this, tokens, logits.size() / vocabulary, probe};
  return runtime::forward(*workspace_, {&reading, 1}, logits);
}

bool forward(Workspace& workspace, std::span<const Reading> readings, std::span<float> logits) {
  check(readings, logits, workspace.model());
  std::vector<nn::Segment> segments;
  std::vector<TokenId> tokens;
  std::vector<std::size_t> rows;
  for (const auto& [sequence, ids, wanted, probe] : readings) {
    if (sequence->memory_ && sequence->memory_positions_ == 0)
      throw Error(ErrorCode::invalid_argument, "no encoded text for the decoder to attend to", "tokens");
    const std::size_t position = sequence->tokens_.size();
    sequence->make_room(ids.size());
    nn::Segment& segment = segments.emplace_back(nn::Segment{.cache = sequence->cache_,
                                                             .position = position,
                                                             .count = ids.size(),
                                                             .row = tokens.size(),
                                                             .memory = sequence->memory_ ? &*sequence->memory_ : nullptr,
                                                             .memory_positions = sequence->memory_positions_});
    if (probe) probe->watch(segment);
    tokens.insert(tokens.end(), ids.begin(), ids.end());
    for (std::size_t i = wanted; i > 0; --i) rows.push_back(tokens.size() - i);
    sequence->tokens_.reserve(position + ids.size());
  }

  nn::Pass pass = workspace.make_pass(segments, tokens.size());
  const nn::Decoder& decoder = *workspace.model().decoder();
  const bool done = workspace.run(tokens.size(), [&] { return decoder.forward(tokens, pass, logits.data(), rows); });
  if (done) workspace.costs().record(tokens.size(), workspace.seconds());
  for (std::size_t i = 0; i < readings.size(); ++i) {
    Sequence& sequence = *readings[i].sequence;
    if (done) {
      sequence.cache_.wrote(segments[i].end());
      sequence.tokens_.insert(sequence.tokens_.end(), readings[i].tokens.begin(), readings[i].tokens.end());
    } else {
      sequence.tokens_.resize(sequence.cache_.undo());
    }
  }
  return done;
}

}  // namespace heed::runtime

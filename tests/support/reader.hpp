// Helpers that process one text at a time with a model.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/encoder_run.hpp"
#include "runtime/sequence.hpp"
#include "runtime/vision_run.hpp"

namespace heed::test {

class Reader {
 public:
  using TokenId = runtime::TokenId;

  explicit Reader(const runtime::Model& model) : workspace_(model) {
    if (model.decoder()) sequence_.emplace(workspace_);
    if (model.encoder()) encoder_.emplace(workspace_);
    if (model.vision()) vision_.emplace(workspace_);
  }

  const runtime::Model& model() const { return workspace_.model(); }
  runtime::Workspace& workspace() { return workspace_; }
  runtime::Sequence& sequence() { return sequence_ ? *sequence_ : sequence_.emplace(workspace_); }  // or throws
  runtime::EncoderRun& encoder() { return encoder_ ? *encoder_ : encoder_.emplace(workspace_); }
  runtime::VisionRun& vision() { return vision_ ? *vision_ : vision_.emplace(workspace_); }
  Interrupt& interrupt() { return workspace_.interrupt(); }

  bool forward(std::span<const TokenId> tokens, std::span<float> logits, runtime::Recorder* recorder = nullptr) {
    return sequence().forward(tokens, logits, recorder);
  }
  std::span<const TokenId> tokens() { return sequence().tokens(); }
  void truncate(std::size_t length) { sequence().truncate(length); }

  /// If there is a decoder, it attends to the result from now on.
  std::span<const float> encode(std::span<const TokenId> tokens, runtime::Recorder* recorder = nullptr) {
    if (!encoder()(tokens, recorder)) return {};
    if (sequence_) sequence_->attend_to(encoder_->hidden());
    return encoder_->hidden();
  }
  std::span<const float> see(const runtime::Image& image, runtime::Recorder* recorder = nullptr) {
    return vision()(image, recorder) ? vision_->hidden() : std::span<const float>();
  }

 private:
  runtime::Workspace workspace_;
  std::optional<runtime::Sequence> sequence_;
  std::optional<runtime::EncoderRun> encoder_;
  std::optional<runtime::VisionRun> vision_;
};

}  // namespace heed::test

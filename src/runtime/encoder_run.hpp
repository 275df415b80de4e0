// Runs an encoder on texts, several in a pass: one vector per token, and embeddings and scores from them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "runtime/pooling.hpp"
#include "runtime/recorder.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {

class EncoderRun {
 public:
  using Text = std::span<const tokenizer::TokenId>;

  /// Throws unsupported for a model without an encoder. The workspace must outlive it.
  explicit EncoderRun(Workspace& workspace);

  /// The number of `texts`, from the first on, that fit in one pass; at least one.
  std::size_t fitting(std::span<const Text> texts) const noexcept;

  /// Runs texts of at least one token each, and together at most the context length. A text's results have the same bits whatever
  /// other texts are in the pass. `recorder` requires a single text. Returns false if the pass was interrupted. The results below
  /// are valid until the workspace's next pass. Throws context_overflow, and invalid_argument for a token outside the vocabulary.
  bool operator()(std::span<const Text> texts, Recorder* recorder = nullptr);
  bool operator()(Text text, Recorder* recorder = nullptr) { return (*this)({&text, 1}, recorder); }

  /// T x D: one vector per token of a text.
  std::span<const float> hidden(std::size_t text = 0) const noexcept;

  /// A text's embedding: one vector or, with Pooling::none, one per token. The length is D, or the number of rows of the model's
  /// last projection. Throws invalid_argument for a number of dimensions out of range.
  std::vector<float> embedding(std::size_t text = 0, const EmbeddingForm& form = {}) const;

  /// The logits (T x V) of a model that predicts masked tokens. Throws unsupported for other models.
  std::vector<float> logits(std::size_t text = 0) const { return logits_of(hidden(text)); }
  /// The logits (V) of the token at a position of the first text. Throws as logits() does.
  std::vector<float> logits_for(std::size_t position) const;

  /// A reranker's scores of a pair of texts (tokenizer/pair.hpp). Throws unsupported if the model is not a reranker.
  std::vector<float> scores(std::size_t text = 0) const;

 private:
  std::vector<float> logits_of(std::span<const float> hidden) const;

  Workspace& workspace_;
  std::vector<std::size_t> ends_;  // where each text ends, in tokens
};

}  // namespace heed::runtime

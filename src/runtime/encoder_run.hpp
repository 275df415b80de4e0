// Texts through an encoder, several in a pass: one vector a token, and what is made of these.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "runtime/inspect.hpp"
#include "runtime/pooling.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {

class EncoderRun {
 public:
  using Text = std::span<const tokenizer::TokenId>;

  /// Throws unsupported for a model without an encoder. The workspace must outlive it.
  explicit EncoderRun(Workspace& workspace);

  /// How many of `texts`, from the first on, go through in one pass: at least one.
  std::size_t fitting(std::span<const Text> texts) const noexcept;

  /// Reads texts of at least one token, together at most the context. The results do not depend on how many there are: the same
  /// bits. `probe` needs a text that is alone. False where the pass was interrupted. What follows is good until the next run
  /// of the workspace. Throws context_overflow, and invalid_argument for a token outside the vocabulary.
  bool operator()(std::span<const Text> texts, AttentionProbe* probe = nullptr);
  bool operator()(Text text, AttentionProbe* probe = nullptr) { return (*this)({&text, 1}, probe); }

  /// One vector a token of a text, T x D.
  std::span<const float> hidden(std::size_t text = 0) const noexcept;

  /// A text as one vector or, for Pooling::none, one a token, of D numbers or as many as the model's projections give. Throws
  /// invalid_argument for dimensions that there are not.
  std::vector<float> embedding(std::size_t text = 0, const EmbeddingForm& form = {}) const;

  /// What a reranker gives a pair of texts (tokenizer/pair.hpp). Throws unsupported where the model is none.
  std::vector<float> scores(std::size_t text = 0) const;

 private:
  Workspace& workspace_;
  std::vector<std::size_t> ends_;  // of each text, in tokens
};

}  // namespace heed::runtime

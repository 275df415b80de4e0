// One sequence of tokens being read or written by a model: its KV cache and scratch memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/image.hpp"
#include "runtime/inspect.hpp"
#include "runtime/model.hpp"
#include "runtime/pooling.hpp"
#include "runtime/session_plan.hpp"

namespace heed::runtime {

using tokenizer::TokenId;

class Session {
 public:
  /// Allocates scratch; the KV cache grows with its tokens. Throws out_of_memory. The model must outlive it.
  explicit Session(const Model& model);
  ~Session();

  const Model& model() const noexcept;
  /// The tokens whose keys and values are in the cache.
  std::span<const TokenId> tokens() const noexcept;
  std::size_t capacity() const noexcept;  // positions there is room for

  /// Forgets all tokens from position `length` on. Where layers see only a window, and that has moved on too far to go on
  /// from there, forgets all.
  void truncate(std::size_t length) noexcept;

  /// Takes memory for a text of this many tokens at once: then it lies together, and attention reads long streams. Otherwise it
  /// is taken as tokens come. Throws out_of_memory.
  void expect(std::size_t length);

  /// Runs the encoder on `tokens` (T of them). Returns one vector a token, T x D, valid until the next call; empty where
  /// the cancel flag was raised. A decoder that attends to it begins anew. Throws unsupported where the model has no
  /// encoder, context_overflow and invalid_argument as forward does.
  std::span<const float> encode(std::span<const TokenId> tokens, AttentionProbe* probe = nullptr);

  /// The same for a picture: one vector for the whole, then one a patch, row by row. Throws unsupported where the model does
  /// not see, and invalid_argument as prepare (runtime/image.hpp) does.
  std::span<const float> see(const Image& image, AttentionProbe* probe = nullptr);

  /// What was encoded or seen last, as one vector or, for Pooling::none, one a token, of D numbers or as many as the model's
  /// projection gives. Absent: the pooling that the model asks for. Throws invalid_argument where there is nothing.
  std::vector<float> embedding(std::optional<Pooling> pooling = {}, bool normalised = false);

  /// What a reranker gives the pair of texts that was encoded last (tokenizer/pair.hpp). Throws unsupported where the model
  /// is none, and invalid_argument where there is nothing.
  std::vector<float> scores();

  /// Probabilities of the classes for what was seen last. Throws unsupported where the model has no classifier.
  std::vector<float> classes();

  /// Largest number of tokens that one forward call takes.
  static constexpr std::size_t kMaxBatch = runtime::kMaxBatch;

  /// Appends `tokens` (T of them, 1 to kMaxBatch) and runs the model on them. Logits are computed for the last
  /// logits.size() / V of them, into `logits` (rows x V); empty computes none. Attention weights go to `probe`, if any.
  /// Results do not depend on how a sequence is cut into batches, nor on the number of threads: the same bits.
  /// Throws context_overflow where capacity is exceeded, invalid_argument for a token id outside the vocabulary and
  /// unsupported for a model without a decoder; nothing has changed then. Returns false where the cancel flag was raised meanwhile: the tokens were not appended.
  bool forward(std::span<const TokenId> tokens, std::span<float> logits, AttentionProbe* probe = nullptr);

  /// A flag that another thread may raise at any time; read between layers. forward() never lowers it.
  std::atomic<bool>& cancel_flag() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::runtime

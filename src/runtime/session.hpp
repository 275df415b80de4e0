// One sequence of tokens being read or written by a model: its KV cache and scratch memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "runtime/inspect.hpp"
#include "runtime/model.hpp"

namespace heed::runtime {

using tokenizer::TokenId;

class Session {
 public:
  /// Allocates the KV cache (model.info().context positions) and scratch. Throws out_of_memory. The model must outlive it.
  explicit Session(const Model& model);
  ~Session();

  const Model& model() const noexcept;
  /// The tokens whose keys and values are in the cache.
  std::span<const TokenId> tokens() const noexcept;
  std::size_t capacity() const noexcept;  // positions there is room for

  /// Forgets all tokens from position `length` on.
  void truncate(std::size_t length) noexcept;

  /// Largest number of tokens that one forward call takes.
  static constexpr std::size_t kMaxBatch = 128;

  /// Appends `tokens` (T of them, 1 to kMaxBatch) and runs the model on them. Logits are computed for the last
  /// logits.size() / V of them, into `logits` (rows x V); empty computes none. Attention weights go to `probe`, if any.
  /// Results do not depend on how a sequence is cut into batches, nor on the number of threads: the same bits.
  /// Throws context_overflow where capacity is exceeded and invalid_argument for a token id outside the vocabulary;
  /// nothing has changed then. Returns false where the cancel flag was raised meanwhile: the tokens were not appended.
  bool forward(std::span<const TokenId> tokens, std::span<float> logits, AttentionProbe* probe = nullptr);

  /// A flag that another thread may raise at any time; read between layers. forward() never lowers it.
  std::atomic<bool>& cancel_flag() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::runtime

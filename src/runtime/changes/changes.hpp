// Changes to a model for one sequence: LoRA adapters and edits. The prefix cache only reuses tokens that were processed with the
// same changes.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nn/adapters/adaptation.hpp"
#include "runtime/changes/adapters.hpp"
#include "runtime/changes/edits.hpp"

namespace heed::runtime {

/// Positions [from, to).
struct PositionRange {
  std::size_t from = 0, to = kEverywhere;
};

struct AdapterUse {
  std::shared_ptr<const Adapter> adapter;
  float scale = 1;  // multiplies the adapter's output; 0 switches it off
  std::optional<PositionRange> range =
      {};  // absent: all positions or, with invocation tokens, from their last occurrence in the prompt on
};

struct Changes {
  std::vector<AdapterUse> adapters = {};  // applied in this order
  std::shared_ptr<const Edits> edits = nullptr;

  bool empty() const noexcept { return adapters.empty() && !edits; }
  /// Whether any adapter or edit depends on positions.
  bool has_places() const noexcept;
};

/// The same changes with a range for every adapter, for a text that begins with `prompt`. Throws invalid_argument, naming the
/// adapter by its index, for a scale that is not finite and for a null adapter.
Changes placed(Changes changes, std::span<const tokenizer::TokenId> prompt);

/// The first position at which two placed changes differ; kEverywhere if there is none.
std::size_t alike_until(const Changes& a, const Changes& b) noexcept;

/// Appends the adapters of `count` tokens from `position` on, whose rows in the pass begin at `row`. Adjacent texts with the same
/// adapters share entries.
void append_rows(const Changes& changes, std::size_t position, std::size_t count, std::size_t row,
                 std::vector<nn::AdaptedRows>& adapted);

}  // namespace heed::runtime

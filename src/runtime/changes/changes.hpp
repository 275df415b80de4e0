// How the reading of a text departs from the model as it was loaded: adapters and edits. They belong to the sequence that reads it, and to
// the key under which its prefix is found again.
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
  float scale = 1;  // of what it adds; 0 is the model without it
  std::optional<PositionRange> range =
      {};  // absent: all or, if it has invocation tokens, from their last occurrence in the prompt on
};

struct Changes {
  std::vector<AdapterUse> adapters = {};  // what they give is added in this order
  std::shared_ptr<const Edits> edits = nullptr;

  bool empty() const noexcept { return adapters.empty() && !edits; }
  /// Whether they depend on positions.
  bool has_places() const noexcept;
};

/// The changes for a text that begins with `prompt`: every adapter has a range. Throws invalid_argument, naming the adapter by its index,
/// for a scale that is not finite and for an adapter that is none.
Changes placed(Changes changes, std::span<const tokenizer::TokenId> prompt);

/// The first position that two placed changes treat differently; kEverywhere if there is none.
std::size_t alike_until(const Changes& a, const Changes& b) noexcept;

/// Appends the adapters of the `count` tokens from `position` on, which are in the rows from `row` on of a pass. Texts that are neighbors
/// in a pass and have the same adapters share entries.
void append_rows(const Changes& changes, std::size_t position, std::size_t count, std::size_t row,
                 std::vector<nn::AdaptedRows>& adapted);

}  // namespace heed::runtime

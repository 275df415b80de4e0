#include "runtime/changes/changes.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"

namespace heed::runtime {
namespace {

/// The range that starts at the last occurrence of the invocation tokens; empty if they do not occur.
PositionRange invoked(std::span<const tokenizer::TokenId> invocation, std::span<const tokenizer::TokenId> prompt) noexcept {
  const auto found = std::ranges::find_end(prompt, invocation);
  if (found.empty()) return {0, 0};
  return {static_cast<std::size_t>(found.begin() - prompt.begin()), kEverywhere};
}

/// Whether the adapter applies to a token at this position.
bool is_on(const AdapterUse& use, std::size_t position) noexcept {
  return use.scale != 0.0f && position >= use.range->from && position < use.range->to;
}

/// Whether both have the same adapters at this position, in the same order.
bool same_at(const Changes& a, const Changes& b, std::size_t position) noexcept {
  const auto next = [position](auto use, const Changes& changes) {
    return std::find_if(use, changes.adapters.end(), [&](const AdapterUse& other) { return is_on(other, position); });
  };
  auto in_a = next(a.adapters.begin(), a), in_b = next(b.adapters.begin(), b);
  while (in_a != a.adapters.end() && in_b != b.adapters.end()) {
    if (in_a->adapter != in_b->adapter || in_a->scale != in_b->scale) return false;
    in_a = next(in_a + 1, a);
    in_b = next(in_b + 1, b);
  }
  return in_a == a.adapters.end() && in_b == b.adapters.end();
}

std::span<const Edit> edits_of(const Changes& changes) noexcept {
  return changes.edits ? changes.edits->all() : std::span<const Edit>();
}

}  // namespace

bool Changes::has_places() const noexcept {
  const auto depends = [](const AdapterUse& use) {
    return use.range ? use.range->from != 0 || use.range->to != kEverywhere : !use.adapter->invocation.empty();
  };
  const auto has_positions = [](const Edit& edit) { return edit.positions.has_value() || edit.kind == Edit::Kind::cut; };
  return std::ranges::any_of(adapters, depends) || std::ranges::any_of(edits_of(*this), has_positions);
}

Changes placed(Changes changes, std::span<const tokenizer::TokenId> prompt) {
  for (std::size_t i = 0; i < changes.adapters.size(); ++i) {
    AdapterUse& use = changes.adapters[i];
    const std::string where = "adapters[" + std::to_string(i) + "]";
    if (!use.adapter) throw Error(ErrorCode::invalid_argument, "is missing", where);
    if (!std::isfinite(use.scale)) throw Error(ErrorCode::invalid_argument, "must be finite", where + ".scale");
    if (!use.range) use.range = use.adapter->invocation.empty() ? PositionRange() : invoked(use.adapter->invocation, prompt);
  }
  return changes;
}

std::size_t alike_until(const Changes& a, const Changes& b) noexcept {
  std::size_t first = a.edits == b.edits ? kEverywhere : alike_until(edits_of(a), edits_of(b));
  const auto look_at = [&](std::size_t position) {
    if (position < first && !same_at(a, b, position)) first = position;
  };
  look_at(0);
  for (const Changes* changes : {&a, &b})  // adapters can differ first only where one begins or ends
    for (const AdapterUse& use : changes->adapters) {
      look_at(use.range->from);
      look_at(use.range->to);
    }
  return first;
}

void append_rows(const Changes& changes, std::size_t position, std::size_t count, std::size_t row,
                 std::vector<nn::AdaptedRows>& adapted) {
  std::size_t after = 0;  // only entries from here on may be extended, because each text's adapters must stay in their order
  for (const auto& [adapter, scale, range] : changes.adapters) {
    const std::size_t from = std::max(range->from, position), to = std::min(range->to, position + count);
    if (scale == 0.0f || from >= to) continue;
    const nn::AdaptedRows own{&adapter->factors, scale, row + from - position, row + to - position};
    const auto shared = std::find_if(adapted.begin() + static_cast<std::ptrdiff_t>(after), adapted.end(), [&](const auto& entry) {
      return entry.adapter == own.adapter && entry.scale == own.scale && entry.end == own.first;
    });
    after = static_cast<std::size_t>(shared - adapted.begin()) + 1;
    if (shared != adapted.end()) shared->end = own.end;
    else adapted.push_back(own);
  }
}

}  // namespace heed::runtime

// Arguments for the engine's calls, taken from a fuzzer's input: mostly plausible ones, rarely arbitrary ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/generate.hpp"
#include "runtime/requests.hpp"

namespace heed::test {

using tokenizer::TokenId;

/// The input, as arguments; zeros after its end.
class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : left_(bytes) {}

  bool empty() const { return left_.empty(); }
  std::uint8_t byte() {
    if (left_.empty()) return 0;
    const std::uint8_t value = left_.front();
    left_ = left_.subspan(1);
    return value;
  }
  bool rarely() { return byte() >= 240; }
  std::size_t below(std::size_t most) { return byte() % most; }
  template <class T>
  T any() {
    std::array<std::uint8_t, sizeof(T)> bytes;
    std::ranges::generate(bytes, [&] { return byte(); });
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  /// Mostly of the vocabulary of family_model().
  std::vector<TokenId> tokens(std::size_t most) {
    std::vector<TokenId> ids(below(most + 1));
    for (TokenId& id : ids) id = rarely() ? any<TokenId>() : 3 + static_cast<TokenId>(below(8));
    return ids;
  }
  std::vector<std::uint32_t> indices() {
    std::vector<std::uint32_t> chosen(below(3));
    for (std::uint32_t& index : chosen) index = rarely() ? any<std::uint32_t>() : static_cast<std::uint32_t>(below(4));
    return chosen;
  }
  std::size_t size(std::size_t usual) { return rarely() ? any<std::size_t>() : below(usual); }

 private:
  std::span<const std::uint8_t> left_;
};

inline runtime::AttentionSelection some_attention(Input& input) {
  runtime::AttentionSelection chosen{input.indices(), input.indices()};
  if (input.below(2) == 0) chosen.of = static_cast<runtime::AttentionOf>(input.below(4));
  return chosen;
}

inline runtime::GenerateOptions some_options(Input& input) {
  runtime::GenerateOptions chosen;
  auto& sampling = chosen.sampling;
  const std::uint8_t which = input.byte(), more = input.byte();
  const auto number = [&](float usual) { return input.rarely() ? input.any<float>() : usual; };
  chosen.max_tokens = input.size(24);
  sampling.seed = input.byte();
  if (which & 1) sampling.temperature = number(0);
  if (which & 2) sampling.top_k = input.rarely() ? input.any<std::uint32_t>() : 3;
  if (which & 4) sampling.top_p = number(0.5f);
  if (which & 8) sampling.min_p = number(0.1f);
  if (which & 16) sampling.repetition_penalty = number(1.2f);
  if (which & 32) sampling.frequency_penalty = number(0.3f);
  if (which & 64) sampling.penalty_window = input.rarely() ? input.any<std::uint32_t>() : 20;
  if (which & 128) sampling.logit_bias = {{input.rarely() ? input.any<TokenId>() : 5, number(2)}};
  if (more & 1) chosen.stop = {"e", input.rarely() ? "" : "th"};
  chosen.stop_at_end = more & 2;
  chosen.special = more & 4;
  if (more & 8) chosen.top_logprobs = input.size(4);
  if (more & 16) chosen.attention = some_attention(input);
  chosen.speculate = more & 32;
  if (more & 64) chosen.context_shift = input.size(20);
  return chosen;
}

/// `width`: of the residual stream. `head_width`: of a head's output.
inline runtime::Edit some_edit(Input& input, std::size_t width, std::size_t head_width) {
  using Kind = runtime::Edit::Kind;
  runtime::Edit edit;
  edit.kind = static_cast<Kind>(input.below(4));
  if (input.below(2) == 0) edit.point = input.below(2) == 0 ? nn::Point::head : static_cast<nn::Point>(input.below(nn::kPoints));
  edit.layer = input.rarely() ? input.any<std::int32_t>() : static_cast<std::int32_t>(input.below(5)) - 1;
  const bool of_states = edit.point == nn::Point::resid;
  if (!of_states && input.below(4) > 0)
    edit.head = input.rarely() ? input.any<std::uint32_t>() : static_cast<std::uint32_t>(input.below(4));
  if (edit.kind == Kind::cut) {
    const auto position = [&] { return input.rarely() ? input.any<std::uint32_t>() : static_cast<std::uint32_t>(input.below(40)); };
    for (std::size_t count = input.below(4); count > 0; --count) {
      const std::uint32_t query = position();
      edit.edges.emplace_back(query, position());
    }
    return edit;
  }
  if (input.below(2) == 0) {
    edit.positions.emplace();
    for (std::size_t count = input.below(4); count > 0; --count)
      edit.positions->push_back(static_cast<std::uint32_t>(input.below(40)));
  }
  if (edit.kind != Kind::scale) {
    edit.vector.assign(input.rarely() ? input.below(80) : of_states ? width : head_width, 0.25f);
    if (!edit.vector.empty()) edit.vector.front() = input.rarely() ? input.any<float>() : 0.5f;
  }
  edit.factor = input.rarely() ? input.any<float>() : 1.5f;
  return edit;
}

inline runtime::StateSelection some_states(Input& input) {
  runtime::StateSelection chosen;
  for (std::size_t count = input.below(3); count > 0; --count)
    chosen.layers.push_back(input.rarely() ? input.any<std::int32_t>() : static_cast<std::int32_t>(input.below(5)) - 1);
  chosen.positions = input.indices();
  return chosen;
}

}  // namespace heed::test

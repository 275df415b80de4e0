#include "runtime/changes/edits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "nn/decoder.hpp"
#include "runtime/heads.hpp"
#include "runtime/model.hpp"

namespace heed::runtime {
namespace {

using Kind = Edit::Kind;

bool edits_states(const Edit& edit) noexcept { return edit.kind == Kind::add || edit.kind == Kind::replace; }

/// Refuses what does not fit, by the index of the edit and the field.
class EditCheck {
 public:
  EditCheck(const nn::DecoderSpec& spec, std::size_t index) : spec_(spec), where_("edits[" + std::to_string(index) + "]") {}

  void operator()(const Edit& edit) const {
    const auto layers = static_cast<std::int32_t>(spec_.stack.layers.size());
    if (edit.layer < (edits_states(edit) ? -1 : 0) || edit.layer >= layers)
      refuse(".layer", std::to_string(edit.layer) + " is out of range: the model has " + std::to_string(layers) + " layers");
    if (!std::isfinite(edit.factor)) refuse(".factor", "must be finite");
    if (edits_states(edit)) return check_vector(edit, spec_.stack.width);
    const HeadShape heads = heads_of(spec_.stack, static_cast<std::size_t>(edit.layer));
    if (heads.count == 0)
      throw Error(ErrorCode::unsupported, "layer " + std::to_string(edit.layer) + " has no softmax attention", where_ + ".layer");
    if (!edit.head && edit.kind != Kind::cut) refuse(".head", "is missing");
    if (edit.head && *edit.head >= heads.count)
      refuse(".head", std::to_string(*edit.head) + " is out of range: the layer has " + std::to_string(heads.count) + " heads");
    if (edit.kind == Kind::set_head) check_vector(edit, heads.dim);
    if (edit.kind == Kind::cut && spec_.stack.bias)
      throw Error(ErrorCode::unsupported, "keys cannot be cut where the model adds to scores by distance", where_);
  }

 private:
  [[noreturn]] void refuse(const char* field, const std::string& what) const {
    throw Error(ErrorCode::invalid_argument, what, where_ + field);
  }
  void check_vector(const Edit& edit, std::size_t size) const {
    if (edit.vector.size() != size)
      refuse(".vector", "has " + std::to_string(edit.vector.size()) + " numbers, expected " + std::to_string(size));
    if (!std::ranges::all_of(edit.vector, [](float x) { return std::isfinite(x); })) refuse(".vector", "must be finite");
  }

  const nn::DecoderSpec& spec_;
  std::string where_;
};

/// Calls act(row) for each row of a segment that the edit is for.
template <class Act>
void for_each_row(const Edit& edit, std::size_t position, std::size_t count, Act act) noexcept {
  if (!edit.positions) {
    for (std::size_t t = 0; t < count; ++t) act(t);
    return;
  }
  for (const std::uint32_t p : *edit.positions)
    if (p >= position && p < position + count) act(p - position);
}

std::size_t first_position(const Edit& edit) noexcept {
  if (edit.kind != Kind::cut && !edit.positions) return 0;
  std::size_t first = kEverywhere;
  for (const auto& [query, key] : edit.edges) first = std::min<std::size_t>(first, query);
  if (edit.positions)
    for (const std::uint32_t p : *edit.positions) first = std::min<std::size_t>(first, p);
  return first;
}

}  // namespace

Edits::Edits(const Model& model, std::vector<Edit> edits) : edits_(std::move(edits)) {
  if (!model.decoder() || model.encoder())
    throw Error(ErrorCode::unsupported, "edits are for decoders alone", model.info().architecture);
  const nn::DecoderSpec& spec = model.decoder()->spec();
  const std::size_t layers = spec.stack.layers.size();
  of_states_.resize(layers + 1);
  of_heads_.resize(layers);
  for (std::size_t i = 0; i < edits_.size(); ++i) {
    const Edit& edit = edits_[i];
    EditCheck(spec, i)(edit);
    const auto layer = static_cast<std::size_t>(edit.layer);  // at least 0, except where states are edited
    const std::int32_t depth = edit.layer + 1;
    if (edits_states(edit)) of_states_[static_cast<std::size_t>(depth)].push_back(i);
    else if (edit.kind != Kind::cut) of_heads_[layer].push_back(i);
    else hide(edit, static_cast<std::uint32_t>(heads_of(spec.stack, layer).count), model.info().context_length);
  }
}

/// Edges beyond `positions`, which no text reaches, are left out.
void Edits::hide(const Edit& cut, std::uint32_t heads, std::size_t positions) {
  const std::uint32_t first = cut.head.value_or(0), end = cut.head ? first + 1 : heads;
  for (std::uint32_t head = first; head < end; ++head) {
    std::vector<float>* scores = nullptr;  // of the last query: edges of one come one after the other
    std::uint32_t last = 0;
    for (const auto& [query, key] : cut.edges) {
      if (key > query || query >= positions) continue;
      if (!scores || query != last) {
        scores = &hidden_[{static_cast<std::uint32_t>(cut.layer), head, query}];
        scores->resize(kernels::padded(query + 1));
        last = query;
      }
      (*scores)[key] = -std::numeric_limits<float>::infinity();
    }
  }
}

void Edits::edit_states(std::size_t depth, std::size_t position, std::size_t count, std::size_t width, float* states,
                        const kernels::Kernels& kernels) const noexcept {
  for (const std::size_t i : of_states_[depth]) {
    const Edit& edit = edits_[i];
    for_each_row(edit, position, count, [&](std::size_t t) {
      if (edit.kind == Kind::add) kernels.add_scaled(states + t * width, edit.vector.data(), edit.factor, width);
      else std::ranges::copy(edit.vector, states + t * width);
    });
  }
}

void Edits::edit_heads(std::size_t layer, std::size_t position, std::size_t count, std::size_t heads, std::size_t dim,
                       float* outputs, const kernels::Kernels& kernels) const noexcept {
  for (const std::size_t i : of_heads_[layer]) {
    const Edit& edit = edits_[i];
    for_each_row(edit, position, count, [&](std::size_t t) {
      float* const output = outputs + (t * heads + *edit.head) * dim;
      if (edit.kind == Kind::set_head) std::ranges::copy(edit.vector, output);
      else kernels.scale(output, edit.factor, dim);
    });
  }
}

const float* Edits::hidden_keys(std::size_t layer, std::size_t head, std::size_t query_position) const noexcept {
  const auto at = hidden_.find({static_cast<std::uint32_t>(layer), static_cast<std::uint32_t>(head),
                                static_cast<std::uint32_t>(query_position)});
  return at == hidden_.end() ? nullptr : at->second.data();
}

std::size_t alike_until(std::span<const Edit> a, std::span<const Edit> b) noexcept {
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  std::size_t first = kEverywhere;
  for (auto edit = in_a; edit != a.end(); ++edit) first = std::min(first, first_position(*edit));
  for (auto edit = in_b; edit != b.end(); ++edit) first = std::min(first, first_position(*edit));
  return first;
}

}  // namespace heed::runtime

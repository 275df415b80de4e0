#include "runtime/changes/edits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <string>

#include "base/error.hpp"
#include "nn/decoder.hpp"
#include "runtime/cached_rows.hpp"
#include "runtime/model.hpp"
#include "runtime/requests.hpp"

namespace heed::runtime {
namespace {

using Kind = Edit::Kind;

/// The place an edit acts on. The state of layer -1 is the input of layer 0.
nn::Place place_of_edit(const Edit& edit) noexcept {
  if (edit.layer < 0) return {nn::Point::embed};
  return {edit.kind == Kind::cut ? nn::Point::head : edit.point, static_cast<std::size_t>(edit.layer)};
}

/// Checks edits against the model; errors name the edit's index and the field.
class EditCheck {
 public:
  EditCheck(const nn::DecoderSpec& spec, std::size_t index) : spec_(spec), where_("edits[" + std::to_string(index) + "]") {}

  void operator()(const Edit& edit) const {
    const auto layers = static_cast<std::int32_t>(spec_.stack.layers.size());
    const bool may_enter = edit.kind != Kind::cut && edit.point == nn::Point::resid;
    if (edit.layer < (may_enter ? -1 : 0) || edit.layer >= layers)
      refuse(".layer", std::to_string(edit.layer) + " is out of range: the model has " + std::to_string(layers) + " layers");
    if (!std::isfinite(edit.factor)) refuse(".factor", "must be finite");
    const nn::Place place = place_of_edit(edit);
    const auto [parts, width] = shape_of(place);
    if (parts == 0)
      throw Error(ErrorCode::unsupported,
                  "layer " + std::to_string(edit.layer) + " has no " +
                      (place.point == nn::Point::head ? "softmax attention" : nn::NamedPlace{place}.name()),
                  where_ + ".layer");
    const bool gives_weights = place.point == nn::Point::weights && edit.kind == Kind::replace && edit.each;
    if (!gives_weights && !nn::rule_of(place.point).writable)
      refuse(".at", nn::NamedPlace{place}.name() + " can be read, but not changed");
    if (edit.head && *edit.head >= parts)
      refuse(".head", std::to_string(*edit.head) + " is out of range: the layer has " + std::to_string(parts) + " heads");
    if (gives_weights) check_weights(edit, parts);
    else if (edit.kind == Kind::add || edit.kind == Kind::replace)
      check_vector(edit, edit.each ? (edit.head ? 1 : parts) * width * rows_of(edit) : width);
    if (nn::is_divisor(place.point) &&
        (edit.kind != Kind::replace || std::ranges::any_of(edit.vector, [](float x) { return x <= 0; })))
      refuse(".vector", "must be above 0, to replace what a norm divides by");
    if (edit.kind == Kind::cut && spec_.stack.bias)
      throw Error(ErrorCode::unsupported, "keys cannot be cut where the model adds to scores by distance", where_);
  }

 private:
  [[noreturn]] void refuse(const char* field, const std::string& what) const {
    throw Error(ErrorCode::invalid_argument, what, where_ + field);
  }
  /// The number of positions listed, each of which has its own values.
  std::size_t rows_of(const Edit& edit) const {
    if (!edit.positions) refuse(".positions", "must be listed, if each has numbers of its own");
    return edit.positions->size();
  }
  void check_weights(const Edit& edit, std::size_t heads) const {
    const std::size_t rows = rows_of(edit) * (edit.head ? 1 : heads);
    if (rows == 0 || edit.vector.empty() || edit.vector.size() % rows != 0)
      refuse(".vector", "has " + std::to_string(edit.vector.size()) + " numbers, which are no rows for the positions and heads");
    check_vector(edit, edit.vector.size());
  }
  void check_vector(const Edit& edit, std::size_t size) const {
    if (edit.vector.size() != size)
      refuse(".vector", "has " + std::to_string(edit.vector.size()) + " numbers, expected " + std::to_string(size));
    if (!std::ranges::all_of(edit.vector, [](float x) { return std::isfinite(x); })) refuse(".vector", "must be finite");
  }

  /// The number of parts of a point, and the width of each.
  std::pair<std::size_t, std::size_t> shape_of(const nn::Place& place) const {
    const auto found = nn::find_place(spec_, place.point, place.layer);
    return found ? std::pair(found->parts, found->width) : std::pair<std::size_t, std::size_t>();
  }

  const nn::DecoderSpec& spec_;
  std::string where_;
};

/// Calls act(row, i) for each row of a segment that the edit applies to; i: the index of its position in the edit's list, or 0.
template <class Act>
void for_each_row(const Edit& edit, std::size_t position, std::size_t count, Act act) noexcept {
  if (!edit.positions) {
    for (std::size_t t = 0; t < count; ++t) act(t, 0);
    return;
  }
  for (std::size_t i = 0; i < edit.positions->size(); ++i)
    if (const std::size_t p = (*edit.positions)[i]; p >= position && p < position + count) act(p - position, i);
}

/// The edit's values for a part at the position with index i in the edit's list of positions.
const float* numbers_of(const Edit& edit, std::size_t i, std::size_t part, std::size_t parts, std::size_t width) noexcept {
  if (!edit.each) return edit.vector.data();
  return edit.vector.data() + (edit.head ? i : i * parts + part) * width;
}

std::size_t index_of(const nn::Place& place) noexcept { return place.layer * nn::kPoints + static_cast<std::size_t>(place.point); }

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
  at_.resize(spec.stack.layers.size() * nn::kPoints);
  for (std::size_t i = 0; i < edits_.size(); ++i) {
    const Edit& edit = edits_[i];
    EditCheck(spec, i)(edit);
    const nn::Place place = place_of_edit(edit);
    if (edit.kind == Kind::cut)
      hide(edit, static_cast<std::uint32_t>(heads_of(spec.stack, place.layer).count), model.info().context_length);
    else at_[index_of(place)].push_back(i);
    hears_norms_ = hears_norms_ || nn::is_divisor(place.point);
  }
}

/// Ignores edges beyond `positions`, since no text can reach them.
void Edits::hide(const Edit& cut, std::uint32_t heads, std::size_t positions) {
  const std::uint32_t first = cut.head.value_or(0), end = cut.head ? first + 1 : heads;
  for (std::uint32_t head = first; head < end; ++head) {
    std::vector<float>* scores = nullptr;  // of query `last`, kept because consecutive edges often have the same query
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

void Edits::visit(const nn::PointRows& rows, nn::Pass& pass) const noexcept {
  for (const std::size_t i : at_[index_of(rows.place)]) {
    const Edit& edit = edits_[i];
    const std::size_t parts = rows.all_parts();
    for_each_row(edit, rows.position, rows.count, [&](std::size_t t, std::size_t i_of) {
      for (std::size_t part = 0; part < rows.parts; ++part) {
        if (edit.head && *edit.head != rows.part + part) continue;
        float* const x = rows.row(t) + part * rows.width;
        const float* const numbers = numbers_of(edit, i_of, rows.part + part, parts, rows.width);
        if (edit.kind == Kind::add) pass.kernels.add_scaled(x, numbers, edit.factor, rows.width);
        else if (edit.kind == Kind::replace) std::copy_n(numbers, rows.width, x);
        else pass.kernels.scale(x, edit.factor, rows.width);
      }
    });
  }
}

/// Adds the hidden scores of a query: 0, or -infinity for a key that it must not see.
void Edits::attend(nn::AttentionSight& sight) const noexcept {
  give_weights(sight);
  const auto at = hidden_.find({static_cast<std::uint32_t>(sight.place.layer), static_cast<std::uint32_t>(sight.head),
                                static_cast<std::uint32_t>(sight.position)});
  if (at == hidden_.end()) return;
  sight.query.bias = at->second.data();
  sight.cut = true;
}

/// If several edits set the weights of a head, the last one counts. If there is no memory for the values, the output is NaN, which
/// makes the pass fail.
void Edits::give_weights(nn::AttentionSight& sight) const noexcept {
  if (sight.place.cross) return;
  for (const std::size_t at : at_[index_of({nn::Point::weights, sight.place.layer})]) {
    const Edit& edit = edits_[at];
    if (edit.head && *edit.head != sight.head) continue;
    const auto found = std::ranges::find(*edit.positions, sight.position);
    if (found == edit.positions->end()) continue;
    const std::size_t heads = edit.head ? 1 : sight.heads, rows = edit.positions->size() * heads;
    const std::size_t width = edit.vector.size() / rows, i = static_cast<std::size_t>(found - edit.positions->begin());
    sight.given = std::span(edit.vector).subspan((i * heads + (edit.head ? 0 : sight.head)) * width, width);
  }
  if (sight.given.empty() || !sight.first) return;
  const std::size_t dim = sight.kv.value_dim, begin = sight.query.begin, end = std::min(sight.query.end, sight.given.size());
  try {
    std::vector<float> values(end > begin ? (end - begin) * dim : 0);
    std::vector<double> sums(dim);
    if (end > begin) read_cached(sight.kv, begin, end, sight.kernels, nullptr, values.data());
    for (std::size_t key = begin; key < end; ++key)
      for (std::size_t k = 0; k < dim; ++k)
        sums[k] += static_cast<double>(sight.given[key]) * static_cast<double>(values[(key - begin) * dim + k]);
    std::ranges::transform(sums, sight.mixed, [](double sum) { return static_cast<float>(sum); });
  } catch (const std::bad_alloc&) {
    std::fill_n(sight.mixed, dim, std::numeric_limits<float>::quiet_NaN());
  }
}

void Edits::norm(nn::NormSight& sight) const noexcept {
  for (const std::size_t at : at_[index_of(sight.divided_by)])
    for_each_row(edits_[at], sight.position, 1,
                 [&](std::size_t, std::size_t i) { sight.divisor = static_cast<double>(*numbers_of(edits_[at], i, 0, 1, 1)); });
}

std::size_t alike_before(const Model& model, std::span<const Edit> a, std::span<const Edit> b) noexcept {
  const nn::Stack& stack = model.decoder()->stack();
  if (!stack.starts_anywhere()) return 0;
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  std::size_t first = stack.depth();
  const auto look_at = [&](const Edit& edit) {
    const nn::Place place = place_of_edit(edit);
    if (place.point <= nn::Point::embed) first = 0;
    else if (place.point == nn::Point::resid) first = std::min(first, place.layer + 1);
    else if (nn::rule_of(place.point).has_layer) first = std::min(first, place.layer);
  };
  for (auto edit = in_a; edit != a.end(); ++edit) look_at(*edit);
  for (auto edit = in_b; edit != b.end(); ++edit) look_at(*edit);
  const auto& layers = model.decoder()->spec().stack.layers;
  for (std::size_t layer = layers.size(); layer-- > first;)
    if (const nn::AttentionSpec* attention = nn::self_attention(layers[layer]); attention && attention->keys_of)
      first = std::min(first, *attention->keys_of);  // that layer must run too, to store the keys
  return first;
}

std::size_t alike_until(std::span<const Edit> a, std::span<const Edit> b) noexcept {
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  std::size_t first = kEverywhere;
  for (auto edit = in_a; edit != a.end(); ++edit) first = std::min(first, first_position(*edit));
  for (auto edit = in_b; edit != b.end(); ++edit) first = std::min(first, first_position(*edit));
  return first;
}

}  // namespace heed::runtime

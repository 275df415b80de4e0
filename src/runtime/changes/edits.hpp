// Edits of values during a pass, at any writable point (nn/points.hpp), by layer, head and position: steering (arXiv:2308.10248),
// patching (arXiv:2202.05262), head ablation, and attention knockout (arXiv:2304.14767). Attention weights can be replaced by one
// row per query (`each`): the weights of the keys from position 0 on. All rows have the same length; keys beyond it get weight 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "nn/listener.hpp"

namespace heed::runtime {

class Model;

struct Edit {
  enum class Kind : std::uint8_t {
    add,      // value += factor * vector
    replace,  // value = vector
    scale,    // value *= factor
    cut,      // hides keys from queries: the softmax is over the other keys. If none is left, the head outputs zero
  };
  Kind kind = Kind::add;
  nn::Point point = nn::Point::resid;                        // unused by cut
  std::int32_t layer = 0;                                    // -1: the residual stream before layer 0
  std::optional<std::uint32_t> head = {};                    // the head, or another part of the point; absent: all parts
  std::optional<std::vector<std::uint32_t>> positions = {};  // absent: all
  std::vector<float> vector = {};                            // as wide as the point or, if that has parts, as one part
  bool each = false;  // the vector has separate values for each position and, without a head, for each part
  float factor = 1;   // for add and scale
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges = {};  // cut: query and key; edges outside the mask have no effect

  bool operator==(const Edit&) const = default;
};

/// A list of edits. Edits at the same place are applied in the order of the list.
class Edits final : public nn::Listener {
 public:
  /// Throws invalid_argument, naming the edit by its index and the field, for a layer, a head, a vector or a factor that does not
  /// fit the model, and for a read-only point; unsupported for a model without a decoder or with an encoder, for a layer without
  /// the point, and for cuts in a model that biases attention scores.
  Edits(const Model& model, std::vector<Edit> edits);

  std::span<const Edit> all() const noexcept { return edits_; }
  /// Whether any edit hides a key from a query.
  bool cuts() const noexcept { return !hidden_.empty(); }

  void visit(const nn::PointRows& rows, nn::Pass& pass) const noexcept override;
  void attend(nn::AttentionSight& sight) const noexcept override;
  void norm(nn::NormSight& sight) const noexcept override;
  bool hears_norms() const noexcept override { return hears_norms_; }
  bool edits() const noexcept override { return true; }

 private:
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // layer, head, query
  void hide(const Edit& cut, std::uint32_t heads, std::size_t positions);
  void give_weights(nn::AttentionSight& sight) const noexcept;

  std::vector<Edit> edits_;
  std::vector<std::vector<std::size_t>> at_;    // indices of the edits, by layer and point
  std::map<Place, std::vector<float>> hidden_;  // scores of keys: 0 or -infinity
  bool hears_norms_ = false;
};

inline constexpr std::size_t kEverywhere = static_cast<std::size_t>(-1);

/// The layer from which on a pass must run again if edits `b` replace `a`: the first one that they affect differently, or the
/// number of layers if there is none. 0 if a pass cannot start from the states that enter a layer.
std::size_t alike_before(const Model& model, std::span<const Edit> a, std::span<const Edit> b) noexcept;

/// The first position at which two lists of edits differ; kEverywhere if there is none.
std::size_t alike_until(std::span<const Edit> a, std::span<const Edit> b) noexcept;

}  // namespace heed::runtime

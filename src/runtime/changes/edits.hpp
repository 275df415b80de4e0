// Edits of a pass from within, by layer, head and position: steering (arXiv:2308.10248), patching (arXiv:2202.05262), ablating heads, and
// knocking attention out (arXiv:2304.14767).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "nn/editor.hpp"

namespace heed::runtime {

class Model;

struct Edit {
  enum class Kind : std::uint8_t {
    add,         // the state after the layer += factor x vector
    replace,     // the state after the layer = vector
    scale_head,  // what the head gives, before the output matrix, x factor
    set_head,    // what the head gives = vector
    cut,         // these queries do not see these keys; the softmax is over the others. Without any key, the head gives zero
  };
  Kind kind = Kind::add;
  std::int32_t layer = 0;                                           // -1, for states: what enters layer 0
  std::optional<std::uint32_t> head = {};                           // of queries; absent, for cut: all
  std::optional<std::vector<std::uint32_t>> positions = {};         // absent: all, as they come
  std::vector<float> vector = {};                                   // D, or the size of a head's value
  float factor = 1;                                                 // of add and scale_head
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges = {};  // of cut: query and key. Those outside the mask change nothing

  bool operator==(const Edit&) const = default;
};

/// Edits in their order: those of one place act one after the other.
class Edits final : public nn::Editor {
 public:
  /// Throws invalid_argument, naming the edit by its index and the field, for a layer, a head, a vector or a factor that does not fit the
  /// model; unsupported for a model without a decoder or with an encoder, for heads of a layer without softmax attention, and for cuts
  /// where the model adds numbers of its own to the scores.
  Edits(const Model& model, std::vector<Edit> edits);

  std::span<const Edit> all() const noexcept { return edits_; }
  /// Whether any query is kept from seeing a key.
  bool cuts() const noexcept { return !hidden_.empty(); }

  void edit_states(std::size_t depth, std::size_t position, std::size_t count, std::size_t width, float* states,
                   const kernels::Kernels& kernels) const noexcept override;
  void edit_heads(std::size_t layer, std::size_t position, std::size_t count, std::size_t heads, std::size_t dim, float* outputs,
                  const kernels::Kernels& kernels) const noexcept override;
  const float* hidden_keys(std::size_t layer, std::size_t head, std::size_t query_position) const noexcept override;

 private:
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // layer, head, query
  void hide(const Edit& cut, std::uint32_t heads, std::size_t positions);

  std::vector<Edit> edits_;
  std::vector<std::vector<std::size_t>> of_states_, of_heads_;  // indices of the edits, by depth and by layer
  std::map<Place, std::vector<float>> hidden_;                  // scores of keys: 0 or -infinity
};

inline constexpr std::size_t kEverywhere = static_cast<std::size_t>(-1);

/// The first position that one of two lists of edits treats in another way than the other; kEverywhere if there is none.
std::size_t alike_until(std::span<const Edit> a, std::span<const Edit> b) noexcept;

}  // namespace heed::runtime

// Records values at points of a pass (nn/points.hpp) while the model runs; the only listener that stores anything.
// runtime/requests.hpp turns calls into requests. Without a recorder, passes cost nothing extra.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nn/pass.hpp"

namespace heed::nn {
class Block;
}

namespace heed::runtime {

class Model;

using nn::AttentionOf;

struct Request {
  nn::NamedPlace at;                          // records zeros if the layer lacks the point; with width 1, means of wider values
  std::vector<std::uint32_t> parts = {};      // for example heads; empty: all
  std::vector<std::uint32_t> positions = {};  // empty: all
};

/// Whether a point has one row per key; keys of cross-attention are positions of the encoder's text.
inline bool is_of_keys(nn::Point point) noexcept {
  return point == nn::Point::key || point == nn::Point::value || point == nn::Point::norms;
}

class Recorder : public nn::Listener {
 public:
  /// No two requests may be for the same place. The model must outlive it.
  Recorder(const Model& model, std::vector<Request> requests);

  /// Makes room for tokens at positions [first, first + count), and for `source` positions of the encoder's text. Throws
  /// invalid_argument, naming the position, if one does not exist or is listed twice, and out_of_memory. If not called, watch()
  /// makes room for the tokens of its segment.
  void prepare(std::size_t first, std::size_t count, std::size_t source = 0);
  /// Records a segment in a pass of this stack. Throws like prepare().
  void watch(nn::Segment& segment, AttentionOf stack);

  std::span<const Request> requests() const noexcept { return requests_; }
  /// Whether anything is recorded of this stack, or at this point of it.
  bool hears(AttentionOf of) const noexcept;
  bool hears(AttentionOf of, nn::Point point) const noexcept { return !slots_[index(of, point)].empty(); }
  /// Whether it records what follows the last layer, which a pass computes only for the tokens whose logits are wanted.
  bool hears_end() const noexcept;
  std::size_t first() const noexcept { return first_; }
  std::size_t count() const noexcept { return count_; }
  std::size_t source() const noexcept { return source_; }

  /// All values, request by request. Throws out_of_memory if some did not fit.
  std::span<const float> values() const;
  std::span<const float> values(std::size_t request) const;
  /// The sizes of the axes of a request's values (nn::PointAxes).
  std::vector<std::size_t> shape(std::size_t request) const;

  void visit(const nn::PointRows& rows, nn::Pass& pass) const noexcept override;
  void attend(nn::AttentionSight& sight) const noexcept override;
  void norm(nn::NormSight& sight) const noexcept override;
  bool hears_norms() const noexcept override { return hears_norms_; }

 private:
  struct Slot {
    std::size_t parts = 0, rows = 0, each = 0;  // the number of recorded parts and positions, and of values for each
    std::size_t part_stride = 0, row_stride = 0;
    std::size_t begin = 0;                          // the position of the first row, if all are recorded
    std::vector<std::int32_t> part_slot, row_slot;  // by part and by position: index in the record, or -1; empty: all
    float* data = nullptr;
    const nn::Block* block = nullptr;  // the block whose output matrix the norms refer to

    /// Where the values of a part at a position are stored; nullptr if they are not recorded.
    float* at(std::size_t part, std::size_t position) const noexcept;
  };
  static constexpr std::size_t index(AttentionOf of, nn::Point point) noexcept {
    return static_cast<std::size_t>(of) * nn::kPoints + static_cast<std::size_t>(point);
  }
  const Slot* find(const nn::Place& place, nn::Point point) const noexcept;
  void show(const nn::AttentionSight& sight) const;

  std::vector<Request> requests_;
  std::vector<Slot> recorded_;                                    // one per request
  std::array<std::vector<std::int32_t>, 4 * nn::kPoints> slots_;  // by stack, point and layer
  AttentionOf stack_ = AttentionOf::decoder;                      // the stack that is running
  bool hears_norms_ = false;
  std::size_t first_ = 0, count_ = 0, source_ = 0;
  std::vector<float> values_;
  mutable std::atomic<bool> failed_ = false;
};

}  // namespace heed::runtime

// Recorders of one kind of value each (runtime/requests.hpp).
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "runtime/attribution.hpp"
#include "runtime/model.hpp"
#include "runtime/selection.hpp"

namespace heed::test {

using runtime::AttentionOf;

/// Attention weights.
class AttentionProbe : public runtime::Recorder {
 public:
  AttentionProbe(const runtime::Model& model, std::vector<std::uint32_t> layers, std::vector<std::uint32_t> heads,
                 std::optional<AttentionOf> of = {}, nn::Point point = nn::Point::weights)
      : Recorder(model, runtime::attention_requests(model, {layers, heads, of}, point)) {
    const bool of_encoder = of == AttentionOf::encoder || (!model.info().generates && !model.info().sees);
    layers_ = runtime::complete(std::move(layers), of_encoder ? model.info().encoder_layers : model.info().layers, "layers");
  }

  std::span<const std::uint32_t> layers() const { return layers_; }
  std::span<const std::uint32_t> heads() const {
    return requests().empty() ? std::span<const std::uint32_t>() : requests()[0].parts;
  }
  std::size_t queries() const { return shape(0)[1]; }
  std::size_t keys() const { return shape(0)[2]; }
  std::span<const float> weights() const { return values(); }

 private:
  std::vector<std::uint32_t> layers_;
};

class ValueProbe : public AttentionProbe {
 public:
  ValueProbe(const runtime::Model& model, std::vector<std::uint32_t> layers, std::vector<std::uint32_t> heads)
      : AttentionProbe(model, std::move(layers), std::move(heads), {}, nn::Point::norms) {}
};

/// The inputs of one row of weights.
struct AttentionParts {
  std::size_t begin = 0, end = 0;
  float scale = 1, softcap = 0;
  std::optional<float> sink = {};
  std::vector<float> query = {}, keys = {}, bias = {}, weights = {};
};

/// The numbers of runtime::parts_requests.
inline AttentionParts parts_of(const runtime::Recorder& recorder) {
  const auto sight = recorder.values(0), query = recorder.values(1), keys = recorder.values(2);
  AttentionParts parts{.begin = static_cast<std::size_t>(sight[0]),
                       .end = static_cast<std::size_t>(sight[1]),
                       .scale = sight[2],
                       .softcap = sight[3]};
  const auto seen = [&](std::span<const float> row, std::size_t width) {
    const auto part = row.subspan(parts.begin * width, (parts.end - parts.begin) * width);
    return std::vector<float>(part.begin(), part.end());
  };
  if (parts.end == 0) return parts;
  if (sight[4] > -INFINITY) parts.sink = sight[4];
  parts.query.assign(query.begin(), query.end());
  parts.keys = seen(keys, query.size());
  if (sight[5] != 0) parts.bias = seen(recorder.values(3), 1);
  parts.weights = seen(recorder.values(4), 1);
  return parts;
}

class AttentionPartsProbe : public runtime::Recorder {
 public:
  AttentionPartsProbe(const runtime::Model& model, std::uint32_t layer, std::uint32_t head, std::size_t query)
      : Recorder(model, runtime::parts_requests(model, layer, head, static_cast<std::uint32_t>(query))) {}
  AttentionParts parts() const { return parts_of(*this); }
};

class StateProbe : public runtime::Recorder {
 public:
  StateProbe(const runtime::Model& model, const runtime::StateSelection& selection)
      : Recorder(model, runtime::state_requests(model, selection)), width_(requests()[0].at.width) {
    for (const runtime::Request& request : requests())
      layers_.push_back(request.at.place.point == nn::Point::embed ? -1 : static_cast<std::int32_t>(request.at.place.layer));
  }
  std::span<const std::int32_t> layers() const { return layers_; }
  std::size_t width() const { return width_; }
  void prepare(std::size_t count) { Recorder::prepare(0, count); }

 private:
  std::vector<std::int32_t> layers_;
  std::size_t width_;
};

class GateProbe : public runtime::Recorder {
 public:
  GateProbe(const runtime::Model& model, std::vector<std::uint32_t> layers)
      : Recorder(model, runtime::gate_requests(model, std::move(layers))) {
    for (std::size_t i = 0; i < requests().size(); i += 2)
      layers_.push_back(static_cast<std::uint32_t>(requests()[i].at.place.layer));
  }
  std::span<const std::uint32_t> layers() const { return layers_; }
  void prepare(std::size_t count) { Recorder::prepare(0, count); }

 private:
  std::vector<std::uint32_t> layers_;
};

class HeadProbe : public runtime::Recorder {
 public:
  HeadProbe(const runtime::Model& model, std::size_t layer)
      : Recorder(model, runtime::head_requests(model, layer)), shape_(runtime::heads_of(model.spec().decoder->stack, layer)) {}
  const runtime::HeadShape& shape() const { return shape_; }
  void prepare(std::size_t count) { Recorder::prepare(0, count); }

 private:
  runtime::HeadShape shape_;
};

class AttributionProbe : public runtime::Recorder {
 public:
  AttributionProbe(const runtime::Model& model, std::uint32_t position)
      : Recorder(model, runtime::attribution_requests(model, position)) {
    prepare(0, 64);
  }
  runtime::Attribution attribute(runtime::Workspace& workspace, tokenizer::TokenId token,
                                 const runtime::Changes& changes = {}) const {
    return runtime::attribute(workspace, *this, token, changes);
  }
};

}  // namespace heed::test

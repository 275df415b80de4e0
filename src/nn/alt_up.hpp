// Alternating updates (AltUp, arXiv:2301.13310): several residual streams; layers run on the first one. Before a layer, each
// stream is predicted from all streams; after it, each is corrected by the layer's change. The first stream determines the
// coefficients of both, token by token.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "nn/stack.hpp"

namespace heed::nn {

class AltUp {
 public:
  /// Takes altup_proj and altup_unembd_proj, which start and end the other streams.
  AltUp(const AltUpSpec& spec, std::size_t width, Weights& weights);
  /// Adds the next layer, `name`: takes its altup_router, altup_router_norm, altup_predict_coef and altup_correct_coef; and
  /// altup_correct_scale if a sublayer adds to the other streams.
  void add_layer(const StackSpec& stack, const std::string& name, const std::vector<Rope>& ropes, Weights& weights);

  /// Does not include the scratch memory of the sublayer `others`.
  static ScratchNeed need(const AltUpSpec& spec, const PassLimits& limits) noexcept;

  /// data: the streams, T x D each; the first is the stack's own activations.
  struct Streams {
    std::array<float*, AltUpSpec::kMostStreams> data = {};
    float* predicted = nullptr;  // the first stream before the layer
    std::size_t tokens = 0, width = 0;

    Activations first() const noexcept { return {data[0], tokens, width}; }
  };
  /// Allocates scratch for the streams and fills it.
  Streams begin(Activations x, Pass& pass) const noexcept;
  void predict(Streams& streams, Pass& pass) const noexcept;
  void correct(Streams& streams, Pass& pass) const noexcept;
  /// Leaves the mean of all streams in the first.
  void end(Streams& streams, Pass& pass) const noexcept;

 private:
  struct LayerParts {
    Norm router_norm;
    Linear router;                      // streams x D
    Linear predict_coef, correct_coef;  // streams^2 x streams, streams x streams
    Buffer<float> correct_scale;        // D, or empty
    std::optional<Sublayer> others;
  };
  void route(const LayerParts& parts, Activations x, float* routed, Pass& pass) const noexcept;
  void tell_others(const LayerParts& parts, Streams& streams, Pass& pass) const noexcept;
  void match_norm(const float* like, float* x, const Streams& streams, Pass& pass) const noexcept;

  AltUpSpec spec_;
  std::vector<Linear> proj_, unembed_;  // D x D, of each stream but the first
  std::vector<LayerParts> layers_;
};

}  // namespace heed::nn

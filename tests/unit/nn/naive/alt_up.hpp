// Alternating updates as arXiv:2301.13310, section 3.1, has them, with the coefficients of Gemma 3n; and LAuReL.
#pragma once

#include "unit/nn/naive/norm.hpp"

namespace heed::test::naive {

/// Of one token, all streams.
using Streams = std::vector<Vector>;

inline Vector as_long_as(const Vector& like, Vector x) {
  const double factor = std::sqrt(dot(like, like) / dot(x, x));
  for (double& v : x) v *= factor;
  return x;
}

inline Streams begin_streams(const nn::AltUpSpec& spec, const Vector& x, const Parameters& parameters) {
  Streams streams{x};
  for (std::size_t j = 1; j < spec.streams; ++j)
    streams.push_back(as_long_as(x, parameters.linear("altup_proj", j - 1, spec.streams - 1, x)));
  return streams;
}

inline Vector routed(const nn::AltUpSpec& spec, const Vector& x, const std::string& layer, const Parameters& parameters) {
  Vector normed = norm(spec.norm, x, layer, "altup_router_norm", parameters);
  for (double& v : normed) v /= static_cast<double>(x.size());
  Vector out = parameters.linear(layer + "altup_router", normed);
  for (double& v : out) v = std::tanh(v);
  return out;
}

inline Streams predict_streams(const nn::AltUpSpec& spec, const Streams& streams, const std::string& layer,
                               const Parameters& parameters) {
  const Vector c = parameters.linear(layer + "altup_predict_coef", routed(spec, streams[0], layer, parameters));
  Streams predicted = streams;
  for (std::size_t o = 0; o < spec.streams; ++o)
    for (std::size_t j = 0; j < spec.streams; ++j) add(predicted[o], streams[j], c[o * spec.streams + j]);
  return predicted;
}

/// `made`: what the layer made of the first predicted stream.
inline Streams correct_streams(const nn::AltUpSpec& spec, Streams predicted, const Vector& made, const std::string& layer,
                               const Parameters& parameters) {
  const Vector c = parameters.linear(layer + "altup_correct_coef", routed(spec, made, layer, parameters));
  Vector change = made;
  add(change, predicted[0], -1);
  for (std::size_t j = 0; j < spec.streams; ++j) add(predicted[j], change, 1 + c[j]);
  return predicted;
}

inline Vector end_streams(const nn::AltUpSpec& spec, const Streams& streams, const Parameters& parameters) {
  Vector mean = streams[0];
  for (std::size_t j = 1; j < spec.streams; ++j)
    add(mean, as_long_as(streams[0], parameters.linear("altup_unembd_proj", j - 1, spec.streams - 1, streams[j])));
  for (double& v : mean) v /= static_cast<double>(spec.streams);
  return mean;
}

inline Vector laurel(const nn::LaurelSpec& spec, const Vector& h, const std::string& layer, const Parameters& parameters) {
  Vector out = h;
  add(out, norm(spec.norm, parameters.linear(layer + "laurel_r", parameters.linear(layer + "laurel_l", h)), layer,
                "laurel_post_norm", parameters));
  return out;
}

}  // namespace heed::test::naive

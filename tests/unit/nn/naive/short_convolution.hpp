// LFM2's gated short convolution (arXiv:2511.23404): y = out(c * conv(b * x)), where (b, c, x) = in(h).
#pragma once

#include "nn/spec.hpp"
#include "unit/nn/naive/parameters.hpp"

namespace heed::test::naive {

inline Sequence short_convolution(const nn::ShortConvolutionSpec& spec, const Sequence& h, const std::string& layer,
                                  const Parameters& parameters) {
  Sequence gated, out;
  for (std::size_t t = 0; t < h.size(); ++t) {
    const std::size_t d = h[t].size();
    const Vector all = parameters.linear(layer + "shortconv.in_proj", h[t]);
    const Vector b = part(all, 0, d), c = part(all, d, d), x = part(all, 2 * d, d);
    gated.push_back(Vector(d));
    for (std::size_t i = 0; i < d; ++i) gated[t][i] = b[i] * x[i];
    Vector y(d);
    for (std::size_t back = 0; back < spec.taps && back <= t; ++back)  // the last tap is the position's own
      for (std::size_t i = 0; i < d; ++i)
        y[i] += c[i] * parameters.row(layer + "shortconv.conv.weight", i)[spec.taps - 1 - back] * gated[t - back][i];
    out.push_back(parameters.linear(layer + "shortconv.out_proj", y));
  }
  return out;
}

}  // namespace heed::test::naive

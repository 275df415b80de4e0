#include "unit/nn/naive_decoder.hpp"

#include <algorithm>
#include <cmath>

namespace heed::test {
namespace {

using Vector = std::vector<double>;
constexpr double kPi = 3.14159265358979323846;

class NaiveDecoder {
 public:
  NaiveDecoder(const nn::DecoderSpec& spec, const Tensors& tensors) : spec_(spec), tensors_(tensors) {}

  Vector logits(const std::vector<int>& tokens) {
    std::vector<Vector> x;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      x.push_back(row("token_embd.weight", static_cast<std::size_t>(tokens[t])));
      if (spec_.learned_positions) add(x[t], row("position_embd.weight", t));
    }
    for (std::size_t i = 0; i < spec_.layers; ++i) {
      const std::string block = "blk." + std::to_string(i) + ".";
      std::vector<Vector> normed;
      for (const Vector& v : x) normed.push_back(norm(v, block + "attn_norm"));
      const std::vector<Vector> mixed = attention(normed, block);
      for (std::size_t t = 0; t < x.size(); ++t) add(x[t], mixed[t]);
      for (Vector& v : x) add(v, mlp(norm(v, block + "ffn_norm"), block));
    }
    Vector all;
    const bool tied = !tensors_.contains("output.weight");
    for (const Vector& v : x) {
      const Vector out = linear(norm(v, "output_norm"), tied ? "token_embd" : "output");
      all.insert(all.end(), out.begin(), out.end());
    }
    return all;
  }

 private:
  const Tensor* find(const std::string& name) const {
    const auto it = tensors_.find(name);
    return it == tensors_.end() ? nullptr : &it->second;
  }
  Vector row(const std::string& name, std::size_t i) const {
    const Tensor& tensor = tensors_.at(name);
    const std::size_t columns = tensor.shape[1];
    return {tensor.values.begin() + static_cast<std::ptrdiff_t>(i * columns),
            tensor.values.begin() + static_cast<std::ptrdiff_t>((i + 1) * columns)};
  }
  static void add(Vector& x, const Vector& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
  }

  Vector linear(const Vector& x, const std::string& name) const {
    const Tensor& w = tensors_.at(name + ".weight");
    const Tensor* bias = find(name + ".bias");
    Vector y(w.shape[0]);
    for (std::size_t r = 0; r < y.size(); ++r) {
      for (std::size_t k = 0; k < x.size(); ++k) y[r] += w.values[r * x.size() + k] * x[k];
      if (bias) y[r] += bias->values[r];
    }
    return y;
  }

  Vector norm(Vector x, const std::string& name) const {
    const auto n = static_cast<double>(x.size());
    double mean = 0, square = 0;
    if (spec_.norm.kind == nn::NormKind::layer)
      for (const double v : x) mean += v / n;
    for (double& v : x) v -= mean;
    for (const double v : x) square += v * v / n;
    const Tensor& weight = tensors_.at(name + ".weight");
    const Tensor* bias = find(name + ".bias");
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = x[i] / std::sqrt(square + spec_.norm.epsilon) * weight.values[i] + (bias ? bias->values[i] : 0);
    return x;
  }

  void rotate(Vector& x, std::size_t heads, std::size_t position) const {
    if (!spec_.attention.rope) return;
    const nn::RopeSpec& rope = *spec_.attention.rope;
    const Tensor* divisors = find("rope_freqs.weight");
    const bool neighbours = rope.pairing == nn::RopePairing::interleaved;
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t i = 0; i < rope.dims / 2; ++i) {
        const std::size_t head = h * spec_.attention.head_dim;
        double& a = x[head + (neighbours ? 2 * i : i)];
        double& b = x[head + (neighbours ? 2 * i + 1 : i + rope.dims / 2)];
        const double angle = naive_angle(rope, i, position, divisors ? divisors->values[i] : 1);
        const double c = naive_magnitude(rope) * std::cos(angle), s = naive_magnitude(rope) * std::sin(angle);
        const double turned = a * c - b * s;
        b = a * s + b * c;
        a = turned;
      }
    }
  }

  std::vector<Vector> attention(const std::vector<Vector>& h, const std::string& block) const {
    const nn::AttentionSpec& spec = spec_.attention;
    const std::size_t d = spec.head_dim, queries = spec.heads * d, keys = spec.kv_heads * d;
    std::vector<Vector> q, k, v, out;
    for (std::size_t t = 0; t < h.size(); ++t) {
      if (find(block + "attn_qkv.weight")) {
        const Vector all = linear(h[t], block + "attn_qkv");
        const auto part = [&](std::size_t from, std::size_t n) {
          return Vector(all.begin() + static_cast<std::ptrdiff_t>(from),
                        all.begin() + static_cast<std::ptrdiff_t>(from + n));
        };
        q.push_back(part(0, queries));
        k.push_back(part(queries, keys));
        v.push_back(part(queries + keys, keys));
      } else {
        q.push_back(linear(h[t], block + "attn_q"));
        k.push_back(linear(h[t], block + "attn_k"));
        v.push_back(linear(h[t], block + "attn_v"));
      }
      rotate(q[t], spec.heads, t);
      rotate(k[t], spec.kv_heads, t);
      Vector mixed(queries);
      for (std::size_t head = 0; head < spec.heads; ++head) {
        const std::size_t kv = head / (spec.heads / spec.kv_heads) * d;
        Vector weights;
        double sum = 0;
        for (std::size_t s = 0; s <= t; ++s) {
          double score = 0;
          for (std::size_t i = 0; i < d; ++i) score += q[t][head * d + i] * k[s][kv + i];
          weights.push_back(std::exp(score * spec.scale));
          sum += weights.back();
        }
        for (std::size_t s = 0; s <= t; ++s)
          for (std::size_t i = 0; i < d; ++i) mixed[head * d + i] += weights[s] / sum * v[s][kv + i];
      }
      out.push_back(linear(mixed, block + "attn_output"));
    }
    return out;
  }

  Vector mlp(const Vector& h, const std::string& block) const {
    Vector hidden = linear(h, block + (spec_.mlp.gated ? "ffn_gate" : "ffn_up"));
    for (double& x : hidden) {
      if (spec_.mlp.activation == kernels::Activation::silu)
        x /= 1 + std::exp(-x);
      else
        x *= 0.5 * (1 + std::tanh(std::sqrt(2 / kPi) * (x + 0.044715 * x * x * x)));
    }
    if (spec_.mlp.gated) {
      const Vector up = linear(h, block + "ffn_up");
      for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i] *= up[i];
    }
    return linear(hidden, block + "ffn_down");
  }

  const nn::DecoderSpec& spec_;
  const Tensors& tensors_;
};

}  // namespace

double naive_angle(const nn::RopeSpec& rope, std::size_t pair, std::size_t position, double divisor) {
  const double dims = static_cast<double>(rope.dims), i = static_cast<double>(pair);
  const double unscaled = std::pow(rope.theta, -2 * i / dims) / divisor;
  double frequency = unscaled;
  if (rope.scaling == nn::RopeScaling::linear) frequency = unscaled / rope.factor;
  if (rope.scaling == nn::RopeScaling::yarn) {
    // the pairs that turn 32 times and once within the original context bound the ramp (arXiv:2309.00071,
    // 3.2)
    const auto turning = [&](double turns) {
      return dims * std::log(static_cast<double>(rope.original_context) / (2 * kPi * turns)) /
             (2 * std::log(rope.theta));
    };
    const double first = std::max(0.0, std::floor(turning(32))),
                 last = std::min(dims - 1, std::ceil(turning(1)));
    const double interpolated = std::clamp((i - first) / std::max(0.001, last - first), 0.0, 1.0);
    frequency = unscaled * (1 - interpolated) + unscaled / rope.factor * interpolated;
  }
  return static_cast<double>(position) * frequency;
}

double naive_magnitude(const nn::RopeSpec& rope) {
  const double yarn = rope.scaling == nn::RopeScaling::yarn ? 1 + 0.1 * std::log(rope.factor) : 1;
  return rope.magnitude * yarn;
}

std::vector<double> naive_logits(const nn::DecoderSpec& spec, const Tensors& tensors,
                                 const std::vector<int>& tokens) {
  return NaiveDecoder(spec, tensors).logits(tokens);
}

}  // namespace heed::test

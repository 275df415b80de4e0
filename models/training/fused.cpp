// The parts of training the decoder between its matrix products: norms, rotations, the softmax, SwiGLU and the loss, each with its
// gradient in one pass over memory. fused.py compiles and calls these.
//
// Activations are bfloat16, or float where HEED_FLOATS is defined; the residual stream and what a row is summed in are float.
// Shapes: N tokens, D width, F feed-forward width, B sequences of T tokens, H query heads, K key/value heads, G = H / K, C head
// width.

#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

constexpr float LEAST = -1e30F;

#ifdef HEED_FLOATS

using Activation = float;

inline float widened(float value) { return value; }
inline float rounded(float value) { return value; }

#else

using Activation = std::uint16_t;

inline float widened(Activation value) {
    const std::uint32_t bits = std::uint32_t{value} << 16;
    float result;
    std::memcpy(&result, &bits, sizeof result);
    return result;
}

inline Activation rounded(float value) {  // to the nearest, ties to even
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return static_cast<Activation>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

#endif

}  // namespace

extern "C" {

// sum = x + added (which may be null), out = sum * scale * weight, where scale is 1 / sqrt(mean of squares + eps) of a row; N x D.
void norm(std::int64_t rows, std::int64_t width, float eps, const float* x, const Activation* added, const float* weight, float* sum,
          Activation* out, float* scales) {
    for (std::int64_t row = 0; row < rows; ++row, x += width, sum += width, out += width) {
        float squares = 0;
        for (std::int64_t i = 0; i < width; ++i) {
            const float value = added ? x[i] + widened(added[i]) : x[i];
            sum[i] = value;
            squares += value * value;
        }
        if (added) added += width;
        const float scale = 1 / std::sqrt(squares / static_cast<float>(width) + eps);
        scales[row] = scale;
        for (std::int64_t i = 0; i < width; ++i) out[i] = rounded(sum[i] * scale * weight[i]);
    }
}

// The gradients of x (and of what was added, if it is wanted), from those of `out` and of `sum` (which may be null).
void norm_gradient(std::int64_t rows, std::int64_t width, const float* sum, const float* scales, const float* weight,
                   const Activation* out_gradient, const float* sum_gradient, float* gradient, Activation* added_gradient,
                   float* weight_gradient) {
    for (std::int64_t row = 0; row < rows; ++row) {
        const float scale = scales[row];
        float along = 0;
        for (std::int64_t i = 0; i < width; ++i) {
            const float up = widened(out_gradient[i]);
            along += up * weight[i] * sum[i];
            weight_gradient[i] += up * sum[i] * scale;
        }
        along *= scale * scale * scale / static_cast<float>(width);
        for (std::int64_t i = 0; i < width; ++i) {
            float value = widened(out_gradient[i]) * weight[i] * scale - sum[i] * along;
            if (sum_gradient) value += sum_gradient[i];
            gradient[i] = value;
            if (added_gradient) added_gradient[i] = rounded(value);
        }
        sum += width, out_gradient += width, gradient += width;
        if (sum_gradient) sum_gradient += width;
        if (added_gradient) added_gradient += width;
    }
}

// From N x (H + 2K) C to queries, B x K x T x G x C, keys and values, B x K x T x C. Queries and keys turn by RoPE with the cosines and
// sines of T x C / 2; queries are scaled. `back`: gradients the other way, turned back.
void to_heads(std::int64_t batch, std::int64_t tokens, std::int64_t kv_heads, std::int64_t group, std::int64_t width, float scale,
              const float* cosines, const float* sines, bool back, Activation* joined, Activation* queries, Activation* keys, Activation* values) {
    const std::int64_t pairs = width / 2;
    const float direction = back ? -1 : 1;
    for (std::int64_t b = 0; b < batch; ++b) {
        for (std::int64_t t = 0; t < tokens; ++t) {
            const float *cosine = cosines + t * pairs, *sine = sines + t * pairs;
            const auto turn = [&](Activation* beside, Activation* apart, float by) {
                const Activation* from = back ? apart : beside;
                Activation* to = back ? beside : apart;
                for (std::int64_t i = 0; i < pairs; ++i) {
                    const float even = widened(from[2 * i]), odd = widened(from[2 * i + 1]), turned = direction * sine[i];
                    to[2 * i] = rounded((even * cosine[i] - odd * turned) * by);
                    to[2 * i + 1] = rounded((even * turned + odd * cosine[i]) * by);
                }
            };
            for (std::int64_t head = 0; head < kv_heads; ++head) {
                const std::int64_t place = (b * kv_heads + head) * tokens + t;
                for (std::int64_t g = 0; g < group; ++g) {
                    turn(joined + (head * group + g) * width, queries + (place * group + g) * width, scale);
                }
                turn(joined + (kv_heads * group + head) * width, keys + place * width, 1);
                Activation *beside = joined + (kv_heads * (group + 1) + head) * width, *apart = values + place * width;
                std::memcpy(back ? beside : apart, back ? apart : beside, width * sizeof *values);
            }
            joined += kv_heads * (group + 2) * width;
        }
    }
}

// Between B x K x T x G x C and N x H C.
void heads_side_by_side(std::int64_t batch, std::int64_t tokens, std::int64_t kv_heads, std::int64_t bytes, bool back, char* heads,
                        char* rows) {
    for (std::int64_t b = 0; b < batch; ++b) {
        for (std::int64_t t = 0; t < tokens; ++t) {
            for (std::int64_t head = 0; head < kv_heads; ++head) {
                char* apart = heads + ((b * kv_heads + head) * tokens + t) * bytes;
                char* beside = rows + ((b * tokens + t) * kv_heads + head) * bytes;
                std::memcpy(back ? apart : beside, back ? beside : apart, bytes);
            }
        }
    }
}

// Scores become weights in place. Row r of each of `batch` matrices of rows x columns is of the query at first + r / group, which sees
// the columns up to its own place.
void causal_softmax(std::int64_t batch, std::int64_t rows, std::int64_t columns, std::int64_t first, std::int64_t group,
                    Activation* scores) {
    alignas(64) static thread_local float exponentials[1 << 15];
    for (std::int64_t b = 0; b < batch; ++b) {
        for (std::int64_t row = 0; row < rows; ++row, scores += columns) {
            const std::int64_t seen = first + row / group + 1;
            float most = LEAST, sum = 0;
            for (std::int64_t i = 0; i < seen; ++i) most = std::fmax(most, widened(scores[i]));
            for (std::int64_t i = 0; i < seen; ++i) {
                exponentials[i] = std::exp(widened(scores[i]) - most);
                sum += exponentials[i];
            }
            const float share = 1 / sum;
            for (std::int64_t i = 0; i < seen; ++i) scores[i] = rounded(exponentials[i] * share);
            std::memset(scores + seen, 0, (columns - seen) * sizeof *scores);
        }
    }
}

// Replaces the gradients of weights by those of scores, in place.
void causal_softmax_gradient(std::int64_t batch, std::int64_t rows, std::int64_t columns, std::int64_t first, std::int64_t group,
                             const Activation* weights, Activation* gradients) {
    for (std::int64_t b = 0; b < batch; ++b) {
        for (std::int64_t row = 0; row < rows; ++row, weights += columns, gradients += columns) {
            const std::int64_t seen = first + row / group + 1;
            float mean = 0;
            for (std::int64_t i = 0; i < seen; ++i) mean += widened(weights[i]) * widened(gradients[i]);
            for (std::int64_t i = 0; i < seen; ++i) {
                gradients[i] = rounded(widened(weights[i]) * (widened(gradients[i]) - mean));
            }
            std::memset(gradients + seen, 0, (columns - seen) * sizeof *gradients);
        }
    }
}

// silu(gate) * up of N x 2F, which has both side by side.
void swiglu(std::int64_t rows, std::int64_t width, const Activation* joined, Activation* out) {
    for (std::int64_t row = 0; row < rows; ++row, joined += 2 * width, out += width) {
        for (std::int64_t i = 0; i < width; ++i) {
            const float gate = widened(joined[i]);
            out[i] = rounded(gate / (1 + std::exp(-gate)) * widened(joined[width + i]));
        }
    }
}

void swiglu_gradient(std::int64_t rows, std::int64_t width, const Activation* joined, const Activation* out_gradient, Activation* gradient) {
    for (std::int64_t row = 0; row < rows; ++row, joined += 2 * width, out_gradient += width, gradient += 2 * width) {
        for (std::int64_t i = 0; i < width; ++i) {
            const float gate = widened(joined[i]), up = widened(joined[width + i]), down = widened(out_gradient[i]);
            const float sigmoid = 1 / (1 + std::exp(-gate));
            gradient[i] = rounded(down * up * sigmoid * (1 + gate * (1 - sigmoid)));
            gradient[width + i] = rounded(down * gate * sigmoid);
        }
    }
}

// The mean negative log-likelihood of the targets, in nats. Logits, N x `vocabulary`, become their gradients in place.
float cross_entropy(std::int64_t rows, std::int64_t vocabulary, const std::int64_t* targets, Activation* logits) {
    alignas(64) static thread_local float exponentials[1 << 18];
    double loss = 0;
    const float each = 1 / static_cast<float>(rows);
    for (std::int64_t row = 0; row < rows; ++row, logits += vocabulary) {
        float most = LEAST, sum = 0;
        for (std::int64_t i = 0; i < vocabulary; ++i) most = std::fmax(most, widened(logits[i]));
        const float right = widened(logits[targets[row]]);
        for (std::int64_t i = 0; i < vocabulary; ++i) {
            exponentials[i] = std::exp(widened(logits[i]) - most);
            sum += exponentials[i];
        }
        loss += most + std::log(sum) - right;
        const float share = each / sum;
        const float gradient = exponentials[targets[row]] * share - each;
        for (std::int64_t i = 0; i < vocabulary; ++i) logits[i] = rounded(exponentials[i] * share);
        logits[targets[row]] = rounded(gradient);
    }
    return static_cast<float>(loss / static_cast<double>(rows));
}

}  // extern "C"

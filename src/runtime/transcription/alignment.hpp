// When each token was spoken: by dynamic time warping of the attention of some of the decoder's heads to the sound
// (arXiv:2212.04356), as in whisper.cpp.
#pragma once

#include <span>
#include <vector>

#include "runtime/recorder.hpp"
#include "runtime/transcription/transcription.hpp"

namespace heed::runtime {

/// The heads whose attention follows the sound. For OpenAI's models, which are recognized by their sizes, they are known; for
/// others, all heads of the later half of the layers.
std::vector<AlignmentHead> alignment_heads(const Model& model);

/// Requests for the weights of these heads. Throws invalid_argument for one that the model lacks.
std::vector<Request> alignment_requests(const Model& model, std::span<const AlignmentHead> heads);

/// The attention weights of a head: one row per recorded token. The recorder's requests must include alignment_requests() of this
/// head.
class HeadWeights {
 public:
  HeadWeights(const Recorder& recorder, const AlignmentHead& head);
  /// The weights of one token, for all positions of the sound.
  std::span<const float> row(std::size_t token) const noexcept { return weights_.subspan(token * stride_, stride_); }

 private:
  std::span<const float> weights_;
  std::size_t stride_ = 0;
};

/// The positions of the sound at which a token begins, and at which the next one begins.
struct TokenTime {
  std::size_t begin = 0, next = 0;
};

/// When each of the recorded tokens after `first`, except for the last, was spoken. A token is located by the row of the token
/// before it, which predicts it. `heads`: the heads to use, all of them recorded; `positions`: the number of positions of the sound
/// to use.
std::vector<TokenTime> align(const Recorder& recorder, std::span<const AlignmentHead> heads, std::size_t first,
                             std::size_t positions);

/// Dynamic time warping: the path of least total cost through `cost` (rows x columns) from the first entry to the last, in steps to
/// the next row, the next column, or both. If these cost the same, it takes the next column. Returns the first column of the path
/// in each row.
std::vector<std::size_t> cheapest_way(std::span<const double> cost, std::size_t rows, std::size_t columns);

/// The number of positions at the beginning of a token's stretch that are a pause, because the token hardly attends to them; 0 if
/// the stretch is not a long one. `stretch`: the weights of the token at its positions.
std::size_t pause_in(std::span<const double> stretch) noexcept;

}  // namespace heed::runtime

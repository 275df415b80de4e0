// When each token was spoken: by dynamic time warping of what heads of the decoder attend to in the sound (arXiv:2212.04356, as whisper.cpp
// does it).
#pragma once

#include <span>
#include <vector>

#include "runtime/recorder.hpp"
#include "runtime/transcription/transcription.hpp"

namespace heed::runtime {

/// The heads that are known to follow the sound, of OpenAI's models, which the sizes of a file distinguish; of others, all heads of the
/// later half of the layers.
std::vector<AlignmentHead> alignment_heads(const Model& model);

/// The weights of these heads. Throws invalid_argument for one that the model lacks.
std::vector<Request> alignment_requests(const Model& model, std::span<const AlignmentHead> heads);

/// What a head attends to: a row for each recorded token. The recorder has the weights of alignment_requests() for it.
class HeadWeights {
 public:
  HeadWeights(const Recorder& recorder, const AlignmentHead& head);
  /// Of all positions of the sound.
  std::span<const float> row(std::size_t token) const noexcept { return weights_.subspan(token * stride_, stride_); }

 private:
  std::span<const float> weights_;
  std::size_t stride_ = 0;
};

/// Positions of the sound: where a token begins, and where the next one does.
struct TokenTime {
  std::size_t begin = 0, next = 0;
};

/// When each of the recorded tokens after `first` was spoken, but the last; a token is heard by the row before its own, which predicts
/// it. `heads`: those to follow, all recorded; `positions`: those of the sound to look at.
std::vector<TokenTime> align(const Recorder& recorder, std::span<const AlignmentHead> heads, std::size_t first,
                             std::size_t positions);

/// The first column of each row on the cheapest way through `cost` (rows x columns), of steps to the next row, the next column or both;
/// of equal ones, to the next column.
std::vector<std::size_t> cheapest_way(std::span<const double> cost, std::size_t rows, std::size_t columns);

/// How many positions a long stretch of a token begins with that it hardly attends to; `stretch`: its weights there.
std::size_t pause_in(std::span<const double> stretch) noexcept;

}  // namespace heed::runtime

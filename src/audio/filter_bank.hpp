// The bands of a spectrum: each is a sum over its bins, weighted by a filter.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace heed::audio {

class FilterBank {
 public:
  FilterBank() = default;
  /// filters: bands x bins
  FilterBank(std::vector<float> filters, std::size_t bands, std::size_t bins)
      : bins_(bins), filters_(std::move(filters)), reaches_(bands) {
    for (std::size_t b = 0; b < bands; ++b)
      for (std::size_t k = 0; k < bins; ++k) {
        if (filters_[b * bins + k] == 0.0f) continue;
        if (reaches_[b].end == 0) reaches_[b].first = k;
        reaches_[b].end = k + 1;
      }
  }

  /// The sum over the bins of a spectrum, weighted by the band's filter: added in order, in double precision.
  double sum(std::size_t band, const double* spectrum) const noexcept {
    double sum = 0;
    for (std::size_t k = reaches_[band].first; k < reaches_[band].end; ++k)
      sum += spectrum[k] * static_cast<double>(filters_[band * bins_ + k]);
    return sum;
  }

 private:
  /// The range of bins whose weight in a filter is not zero.
  struct Reach {
    std::size_t first = 0, end = 0;
  };

  std::size_t bins_ = 0;
  std::vector<float> filters_;
  std::vector<Reach> reaches_;
};

}  // namespace heed::audio

#include "audio/resample.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>

#include "base/deterministic_math.hpp"
#include "base/error.hpp"
#include "base/thread_pool.hpp"

namespace heed::audio {
namespace {

constexpr double kPi = 0x1.921fb54442d18p+1;
constexpr std::size_t kCrossings = 64;     // zeros of the sinc on either side
constexpr std::size_t kTable = 512;        // values of the kernel from one zero to the next, which are interpolated
constexpr double kCutoff = 0.95;           // the middle of the filter's transition band, as a share of half of the lower rate
constexpr double kBeta = 10.06;            // of Kaiser's window, for 100 dB of attenuation
constexpr std::size_t kMostCached = 1024;  // most fractions of a sample whose weights are computed in advance

/// The modified Bessel function of order 0.
double bessel(double x) noexcept {
  double sum = 1, term = 1;
  for (int k = 1; k < 64; ++k) {
    term *= x / (2 * k) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

/// The right half of the kernel, with positions counted in samples of the lower rate.
std::vector<double> kernel_table() {
  std::vector<double> table(kCrossings * kTable + 2);
  const double whole = bessel(kBeta);
  for (std::size_t i = 0; i <= kCrossings * kTable; ++i) {
    const double x = static_cast<double>(i) / kTable, angle = kPi * kCutoff * x, at = x / kCrossings;
    const double sinc = i == 0 ? kCutoff : deterministic_sine_cosine(angle).sine / (kPi * x);
    table[i] = sinc * bessel(kBeta * std::sqrt(1 - at * at)) / whole;
  }
  return table;
}

class Filter {
 public:
  /// The rates, divided by their common factors.
  Filter(std::size_t from, std::size_t to)
      : from_(from),
        to_(to),
        scale_(std::min(1.0, static_cast<double>(to) / static_cast<double>(from))),
        reach_(static_cast<std::size_t>(static_cast<double>(kCrossings) / scale_) + 1),
        table_(kernel_table()) {
    if (to > kMostCached) return;
    cached_.resize(to * taps());
    for (std::size_t phase = 0; phase < to; ++phase) fill(phase, cached_.data() + phase * taps());
  }

  std::size_t taps() const noexcept { return 2 * reach_; }
  /// Computes sample i at the new rate. scratch: taps() numbers.
  double operator()(std::span<const float> samples, std::size_t i, double* scratch) const noexcept {
    const std::uint64_t at = std::uint64_t{i} * from_;
    const auto phase = static_cast<std::size_t>(at % to_);
    const auto first = static_cast<std::ptrdiff_t>(at / to_) - static_cast<std::ptrdiff_t>(reach_) + 1;
    const double* weights = scratch;
    if (cached_.empty()) fill(phase, scratch);
    else weights = cached_.data() + phase * taps();
    const auto begin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, -first));
    const auto end = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(samples.size()) - first, 0,
                                                                         static_cast<std::ptrdiff_t>(taps())));
    double sum = 0;
    const float* const x = samples.data() + first;
    for (std::size_t k = begin; k < end; ++k) sum += weights[k] * static_cast<double>(x[k]);
    return sum;
  }

 private:
  /// The weights of the samples around a point that lies phase / to_ after a sample.
  void fill(std::size_t phase, double* weights) const noexcept {
    const double behind = static_cast<double>(phase) / static_cast<double>(to_);
    for (std::size_t k = 0; k < taps(); ++k) {
      const double distance = std::abs(static_cast<double>(k) - static_cast<double>(reach_ - 1) - behind) * scale_ * kTable;
      const auto i = static_cast<std::size_t>(distance);
      const double rest = distance - static_cast<double>(i);
      weights[k] = i < kCrossings * kTable ? scale_ * (table_[i] + rest * (table_[i + 1] - table_[i])) : 0.0;
    }
  }

  std::size_t from_, to_;
  double scale_;       // the lower rate over the old one
  std::size_t reach_;  // how many samples on either side have weights
  std::vector<double> table_, cached_;
};

}  // namespace

void check_rate(std::size_t rate) {
  if (rate < kLeastRate || rate > kMostRate)
    throw Error(ErrorCode::invalid_argument,
                "has " + std::to_string(rate) + " samples per second, but only " + std::to_string(kLeastRate) + " to " +
                    std::to_string(kMostRate) + " are supported",
                "audio");
}

std::size_t resampled(std::size_t samples, std::size_t from, std::size_t to) {
  check_rate(from);
  check_rate(to);
  return static_cast<std::size_t>((std::uint64_t{samples} * to * 2 + from) / (std::uint64_t{from} * 2));
}

std::vector<float> resample(std::span<const float> samples, std::size_t from, std::size_t to, ThreadPool& pool) {
  std::vector<float> out(resampled(samples.size(), from, to));
  if (from == to) return {samples.begin(), samples.end()};
  const std::size_t common = std::gcd(from, to);
  const Filter filter(from / common, to / common);
  std::vector<double> scratch(filter.taps() * pool.threads());
  pool.parallel_for(out.size(), 1024, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    for (std::size_t i = begin; i < end; ++i)
      out[i] = static_cast<float>(filter(samples, i, scratch.data() + thread * filter.taps()));
  });
  return out;
}

}  // namespace heed::audio

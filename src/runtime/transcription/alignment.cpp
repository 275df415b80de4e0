#include "runtime/transcription/alignment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "nn/spec.hpp"
#include "runtime/model.hpp"

namespace heed::runtime {
namespace {

constexpr std::size_t kMedian = 7;     // width of the median filter, in positions
constexpr std::size_t kLongWord = 20;  // positions (0.4 s) up to which a token does not begin with a pause
constexpr double kPauseShare = 0.05;   // a pause has less than this share of a token's largest weight

struct KnownHeads {
  std::size_t audio_layers, layers;
  bool english;
  std::string_view heads;  // two characters per head: its layer and its index, each counted from 'A'
};

/// The heads of OpenAI's models (_ALIGNMENT_HEADS of github.com/openai/whisper) and of heed-words. Large v1 has other heads than
/// large v2, but the two models cannot be told apart.
constexpr std::array<KnownHeads, 11> kKnown = {{
    {4, 3, true, "CACBCCCD"},
    {4, 4, true, "BACACFDADBDCDDDE"},
    {4, 4, false, "CCDADCDDDEDF"},
    {6, 6, true, "DDEHFBFFFH"},
    {6, 6, false, "DBECEDEHFBFCFEFG"},
    {12, 12, true, "GGHAHDHIICIFIHJAJEJIJKKAKBKCKDKGKLLCLE"},
    {12, 12, false, "FDFJIAIEIHIIJAJHJJKF"},
    {24, 24, true, "LEOBOMOOPEQAQEQJRMROSHSKSPUAUDUJUOVM"},
    {24, 24, false, "NPPEPPQBUAXE"},
    {32, 32, false, "KMNRQLQMQNRPRQSESLSTTLVCVDWDWJWMXFXHXNZFaBaMbP"},
    {32, 4, false, "CECLDDDGDLDO"},
}};
constexpr std::string_view kThirdLarge = "HAKRMSNMQBROTLVEYBZG";

std::size_t number_of(char letter) noexcept { return static_cast<std::size_t>(letter >= 'a' ? letter - 'a' + 26 : letter - 'A'); }

/// Subtracts from each position's weights their mean over all tokens, and divides by their deviation. weights: tokens x positions.
void normalize(std::vector<double>& weights, std::size_t tokens, std::size_t positions) {
  for (std::size_t p = 0; p < positions; ++p) {
    double mean = 0, variance = 0;
    for (std::size_t t = 0; t < tokens; ++t) mean += weights[t * positions + p];
    mean /= static_cast<double>(tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
      const double difference = weights[t * positions + p] - mean;
      variance += difference * difference;
    }
    const double deviation = std::sqrt(variance / static_cast<double>(tokens) + 1e-9);
    for (std::size_t t = 0; t < tokens; ++t) weights[t * positions + p] = (weights[t * positions + p] - mean) / deviation;
  }
}

/// The median of the kMedian values around index i; the row is mirrored at both ends.
double median_at(std::span<const double> row, std::size_t i) noexcept {
  std::array<double, kMedian> window;
  const auto count = static_cast<std::ptrdiff_t>(row.size());
  for (std::size_t k = 0; k < kMedian; ++k) {
    auto at = static_cast<std::ptrdiff_t>(i + k) - static_cast<std::ptrdiff_t>(kMedian / 2);
    if (at < 0) at = -at;
    if (at >= count) at = 2 * (count - 1) - at;
    window[k] = row[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, count - 1))];
  }
  for (const double value : window) {  // the median has half of the other values below it
    const auto below = std::ranges::count_if(window, [&](double other) { return other < value; });
    const auto equal = std::ranges::count(window, value);
    const auto middle = static_cast<std::ptrdiff_t>(kMedian / 2);
    if (below <= middle && below + equal > middle) return value;
  }
  return window[0];  // if values are NaN
}

}  // namespace

std::size_t pause_in(std::span<const double> stretch) noexcept {
  if (stretch.size() <= kLongWord) return 0;
  const double least = *std::ranges::max_element(stretch) * kPauseShare;
  return static_cast<std::size_t>(std::ranges::find_if(stretch, [&](double weight) { return weight >= least; }) - stretch.begin());
}

std::vector<AlignmentHead> alignment_heads(const Model& model) {
  const ModelInfo& info = model.info();
  const bool english = info.vocabulary == 51864, third = info.vocabulary > 51865;
  std::string_view text;
  for (const KnownHeads& known : kKnown)
    if (known.audio_layers == info.encoder_layers && known.layers == info.layers && known.english == english) text = known.heads;
  if (third && info.layers == 32) text = kThirdLarge;
  std::vector<AlignmentHead> heads;
  for (std::size_t i = 0; i < text.size(); i += 2) heads.push_back({number_of(text[i]), number_of(text[i + 1])});
  const auto exists = [&](const AlignmentHead& head) { return head.head < info.heads; };
  if (!heads.empty() && std::ranges::all_of(heads, exists)) return heads;
  heads.clear();
  for (std::size_t layer = info.layers / 2; layer < info.layers; ++layer)
    for (std::size_t head = 0; head < info.heads; ++head) heads.push_back({layer, head});
  return heads;
}

std::vector<Request> alignment_requests(const Model& model, std::span<const AlignmentHead> heads) {
  std::vector<Request> requests(model.info().layers);
  for (const auto& [layer, head] : heads) {
    if (layer >= requests.size() || head >= model.info().heads || std::ranges::count(requests[layer].parts, head) > 0)
      throw Error(ErrorCode::invalid_argument,
                  "layer " + std::to_string(layer) + " has no head " + std::to_string(head) + ", or it is listed twice", "heads");
    requests[layer].parts.push_back(static_cast<std::uint32_t>(head));
    requests[layer].at = *nn::find_place(model.spec().decoder->stack, AttentionOf::cross, nn::Point::weights, layer);
  }
  std::erase_if(requests, [](const Request& request) { return request.parts.empty(); });
  return requests;
}

std::vector<std::size_t> cheapest_way(std::span<const double> cost, std::size_t rows, std::size_t columns) {
  enum : std::uint8_t { both, down, right };
  std::vector<double> before(columns + 1, HUGE_VAL), here(columns + 1, HUGE_VAL);
  std::vector<std::uint8_t> from(rows * columns);
  before[0] = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    here[0] = HUGE_VAL;
    for (std::size_t j = 0; j < columns; ++j) {
      const double diagonal = before[j], above = before[j + 1], left = here[j];
      const auto step = diagonal < above && diagonal < left ? both : above < diagonal && above < left ? down : right;
      from[i * columns + j] = step;
      here[j + 1] = cost[i * columns + j] + (step == both ? diagonal : step == down ? above : left);
    }
    std::swap(before, here);
  }
  std::vector<std::size_t> firsts(rows);
  for (std::size_t i = rows, j = columns; i > 0 && j > 0;) {
    firsts[i - 1] = j - 1;
    const std::uint8_t step = from[(i - 1) * columns + j - 1];
    if (step != right) --i;
    if (step != down) --j;
  }
  return firsts;
}

HeadWeights::HeadWeights(const Recorder& recorder, const AlignmentHead& head) {
  for (std::size_t i = 0; i < recorder.requests().size(); ++i) {
    const Request& request = recorder.requests()[i];
    if (request.at.place.layer != head.layer) continue;
    const auto part = static_cast<std::size_t>(std::ranges::find(request.parts, head.head) - request.parts.begin());
    const std::vector<std::size_t> shape = recorder.shape(i);  // heads, tokens, all positions
    stride_ = shape[2];
    weights_ = recorder.values(i).subspan(part * shape[1] * stride_, shape[1] * stride_);
  }
}

std::vector<TokenTime> align(const Recorder& recorder, std::span<const AlignmentHead> heads, std::size_t first,
                             std::size_t positions) {
  const std::size_t tokens = recorder.count(), rows = tokens - first - 1;
  std::vector<double> cost(rows * positions), seen(rows * positions), weights(tokens * positions);
  for (const AlignmentHead& head : heads) {
    const HeadWeights recorded(recorder, head);
    for (std::size_t t = 0; t < tokens; ++t)
      std::ranges::copy(recorded.row(t).first(positions), weights.begin() + static_cast<std::ptrdiff_t>(t * positions));
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] += weights[first * positions + i];
    normalize(weights, tokens, positions);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t p = 0; p < positions; ++p)
        cost[i * positions + p] -= median_at(std::span(weights).subspan((first + i) * positions, positions), p);
  }
  for (double& value : cost) value /= static_cast<double>(heads.size());
  const std::vector<std::size_t> begins = cheapest_way(cost, rows, positions);
  std::vector<TokenTime> times;
  for (std::size_t i = 0; i + 1 < rows; ++i) {
    const std::span<const double> stretch = std::span(seen).subspan(i * positions + begins[i], begins[i + 1] - begins[i]);
    times.push_back({begins[i] + pause_in(stretch), begins[i + 1]});
  }
  return times;
}

}  // namespace heed::runtime

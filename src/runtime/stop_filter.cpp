#include "runtime/stop_filter.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace heed::runtime {

StopFilter::StopFilter(std::vector<std::string> stops) : stops_(std::move(stops)) {
  for (const std::string& stop : stops_)
    if (stop.empty()) throw Error(ErrorCode::invalid_argument, "a stop string must not be empty", "stop");
}

std::string StopFilter::push(const std::string& text) {
  held_ += text;
  std::size_t end = held_.size();
  for (const std::string& stop : stops_) {
    const std::size_t at = held_.find(stop);
    if (at == std::string::npos) continue;
    found_ = true;
    end = std::min(end, at);
  }
  if (!found_)
    for (const std::string& stop : stops_) end = std::min(end, held_.size() - partial_match(stop));
  std::string certain = held_.substr(0, end);
  held_ = found_ ? std::string() : held_.substr(end);
  return certain;
}

std::string StopFilter::flush() { return std::exchange(held_, {}); }

/// Length of the longest suffix of the held text that is a prefix of `stop`.
std::size_t StopFilter::partial_match(const std::string& stop) const {
  for (std::size_t n = std::min(stop.size() - 1, held_.size()); n > 0; --n)
    if (held_.compare(held_.size() - n, n, stop, 0, n) == 0) return n;
  return 0;
}

}  // namespace heed::runtime

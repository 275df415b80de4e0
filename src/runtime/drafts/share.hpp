// How often something has been right lately, starting from a prior.
#pragma once

namespace heed::runtime {

class Share {
 public:
  Share(double right, double all) : right_(right), all_(all) {}
  /// Makes everything known so far count as at most `all` cases.
  void weaken(double all) noexcept {
    if (all_ <= all) return;
    right_ *= all / all_;
    all_ = all;
  }
  void add(bool right) noexcept {
    right_ += right ? 1 : 0;
    all_ += 1;
    if (all_ < kWindow) return;
    right_ /= 2;
    all_ /= 2;
  }
  double value() const noexcept { return right_ / all_; }

 private:
  static constexpr double kWindow = 48;
  double right_, all_;
};

}  // namespace heed::runtime

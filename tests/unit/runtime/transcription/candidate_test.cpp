// When a window's tokens are complete, which of them count, and how far the window then moves.
#include "runtime/transcription/candidate.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace heed;
using runtime::Candidate;
using runtime::TranscribeOptions;

namespace {

const tokenizer::WhisperTokens kSpecial(51864);
constexpr tokenizer::TokenId kEnd = 50256, kTime = 50363;

struct Case {
  TranscribeOptions options = {};
  bool timed = true;
  runtime::WindowPlace place = {0, 10000};
  std::size_t most = 220;

  /// The candidate of these tokens, which must be complete after the last one.
  Candidate operator()(std::initializer_list<tokenizer::TokenId> ids) const {
    Candidate candidate(kSpecial, options, timed, place, most, 0);
    std::size_t left = ids.size();
    for (const tokenizer::TokenId id : ids) CHECK(candidate.add({id, kTime, -0.5f}) == (--left == 0));
    return candidate;
  }
};

}  // namespace

TEST_CASE("what comes before the last timestamp counts", "[transcription]") {
  const Candidate candidate = Case()({kTime, 1, 2, kTime + 100, kTime + 100, 3, kEnd});
  CHECK_FALSE(candidate.failed());
  CHECK(candidate.kept().size() == 5);
  CHECK(candidate.shift() == 200);
  CHECK(candidate.next_shift() == 200);
}

TEST_CASE("a text that ends with one timestamp is followed by silence", "[transcription]") {
  const Candidate candidate = Case()({kTime, 1, kTime + 100, kEnd});
  CHECK(candidate.kept().size() == 3);
  CHECK(candidate.shift() == 200);
  CHECK(candidate.next_shift() == 3000);
  const Candidate last = Case{.place = {9000, 10000}}({kTime, 1, kTime + 100, kEnd});
  CHECK(last.next_shift() == 1000);
}

TEST_CASE("a window without a timestamp fails, unless it is the last", "[transcription]") {
  const Candidate failed = Case()({1, 2, kEnd});
  CHECK(failed.failed());
  CHECK(failed.kept().empty());
  CHECK(failed.of_segments().size() == 3);
  CHECK(failed.next_shift() == 3000);
  const Candidate last = Case{.place = {7000, 10000}}({1, 2, kEnd});
  CHECK_FALSE(last.failed());
  CHECK(last.kept().size() == 3);
}

TEST_CASE("the timestamp 0.00 neither counts nor moves the window", "[transcription]") {
  CHECK(Case()({kTime, 1, kTime, kEnd}).failed());
}

TEST_CASE("a timestamp near the end of the sound completes a window", "[transcription]") {
  const Candidate candidate = Case{.place = {9000, 10000}}({kTime, 1, kTime + 496});
  CHECK(candidate.kept().size() == 3);
  CHECK(candidate.shift() == 992);
}

TEST_CASE("without timestamps, or with one segment, all counts", "[transcription]") {
  const Candidate untimed = Case{.timed = false}({1, 2, kEnd});
  CHECK_FALSE(untimed.failed());
  CHECK(untimed.kept().size() == 3);
  CHECK(untimed.next_shift() == 3000);
  const Candidate single = Case{.options = {.single_segment = true}}({kTime, 1, kTime + 50, 2, kEnd});
  CHECK(single.kept().size() == 5);
  CHECK(single.shift() == 3000);
}

TEST_CASE("a limit of tokens ends a window after one more", "[transcription]") {
  const Candidate candidate = Case{.options = {.max_tokens = 2}}({1, 2, kTime + 50});
  CHECK(candidate.kept().size() == 3);
  CHECK(candidate.next_shift() == 100);  // not all of it, although it ends with a single timestamp
}

TEST_CASE("a window that is full fails where little of it counts", "[transcription]") {
  CHECK(Case{.most = 3}({1, 2, 3}).failed());
  CHECK(Case{.most = 3}({1, kTime + 749, 3}).failed());
  CHECK_FALSE(Case{.most = 3}({1, kTime + 750, 3}).failed());
}

TEST_CASE("text that repeats itself is noticed", "[transcription]") {
  Candidate same(kSpecial, {}, false, {0, 10000}, 220, 0), varied(kSpecial, {}, false, {0, 10000}, 220, 0);
  for (tokenizer::TokenId i = 0; i < 40; ++i) {
    same.add({i % 8, kTime, 0});
    varied.add({i, kTime, 0});
  }
  same.add({kEnd, kTime, 0});
  varied.add({kEnd, kTime, 0});
  CHECK(same.repeats());
  CHECK_FALSE(varied.repeats());
  CHECK(same.mean_logprob() == 0);
}

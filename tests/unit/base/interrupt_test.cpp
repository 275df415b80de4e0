#include "base/interrupt.hpp"

#include <catch2/catch_test_macros.hpp>
#include <utility>

namespace {

bool requested_elsewhere = false;
bool take() noexcept { return std::exchange(requested_elsewhere, false); }

}  // namespace

TEST_CASE("an interruption that is requested elsewhere lasts until it is reset here", "[base]") {
  heed::Interrupt interrupt;
  CHECK_FALSE(interrupt);
  interrupt.take_from(take);
  CHECK_FALSE(interrupt);
  requested_elsewhere = true;
  CHECK(interrupt);
  CHECK_FALSE(requested_elsewhere);
  CHECK(interrupt);
  requested_elsewhere = true;
  interrupt = false;
  CHECK_FALSE(interrupt);
  CHECK_FALSE(requested_elsewhere);
  interrupt = true;
  CHECK(interrupt);
}

// Any bytes as a saved session: an Error, or a session that saves as it was, without what it kept for the drafts of another file. The
// seeds are sessions of the same models. Their checksum is made right, because no other bytes would go further.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "fuzz/session_models.hpp"
#include "runtime/session.hpp"

using namespace heed;

namespace {

/// Without the checksum.
std::span<const std::byte> content(std::span<const std::byte> saved) { return saved.first(saved.size() - sizeof(std::uint64_t)); }

std::vector<std::byte> with_checksum(std::span<const std::byte> bytes) {
  std::vector<std::byte> saved(bytes.begin(), bytes.end());
  if (saved.size() < sizeof(std::uint64_t)) return saved;
  Checksum checksum;
  checksum.add(content(saved));
  const std::uint64_t value = checksum.value();
  std::memcpy(saved.data() + saved.size() - sizeof(value), &value, sizeof(value));
  return saved;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<test::SessionModel> models = test::session_models();
  if (size == 0) return 0;
  const std::vector<std::byte> saved = with_checksum(std::as_bytes(std::span(data + 1, size - 1)));
  try {
    runtime::Session session = runtime::restore_session(*models[data[0] % models.size()].workspace, saved);
    const std::vector<std::byte> again = session.save();
    const auto kept = content(again), given = content(saved);  // these models have no drafts, whose part is the last
    if (kept.size() > given.size() || !std::ranges::equal(kept, given.first(kept.size()))) std::abort();
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}

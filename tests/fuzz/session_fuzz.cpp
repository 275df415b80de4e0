// Any bytes as a saved session: an Error, or a session that saves as it was. The seeds are sessions of the same models.
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"
#include "fuzz/session_models.hpp"
#include "runtime/session.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<test::SessionModel> models = test::session_models();
  if (size == 0) return 0;
  const auto saved = std::as_bytes(std::span(data + 1, size - 1));
  try {
    runtime::Session session = runtime::restore_session(*models[data[0] % models.size()].workspace, saved);
    const std::vector<std::byte> again = session.save();
    if (again.size() != saved.size() || std::memcmp(again.data(), saved.data(), saved.size()) != 0) std::abort();
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}

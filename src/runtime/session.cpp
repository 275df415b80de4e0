#include "runtime/session.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "base/checksum.hpp"
#include "base/error.hpp"

namespace heed::runtime {
namespace {

/// The beginning of the saved bytes, little-endian. After it come the tokens, the sequence's cache, and a checksum of all before
/// it.
struct Header {
  std::array<char, 8> magic = {'h', 'e', 'e', 'd', '-', 't', 'x', 't'};
  std::uint32_t version = 1;
  std::uint32_t kv_type = 0;
  std::uint64_t model = 0;  // the model's fingerprint
  std::uint32_t tokens = 0, read = 0;
};
static_assert(sizeof(Header) == 32);

/// The number of a KV type in saved sessions. 3 is skipped: it was int8 with one scale per vector.
std::uint32_t saved_kind(KvType type) { return static_cast<std::uint32_t>(type) + (has_blocks(type) ? 1 : 0); }

std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  Checksum checksum;
  checksum.add(bytes);
  return checksum.value();
}

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::invalid_argument, what, "session"); }

}  // namespace

Session::Session(Workspace& workspace) : sequence(workspace) {
  if (workspace.model().encoder())
    throw Error(ErrorCode::unsupported, "has no sessions: its encoder reads a text as a whole",
                workspace.model().info().architecture);
}

void Session::truncate(std::size_t length) noexcept {
  if (length >= tokens.size()) return;
  tokens.resize(length);
  sequence.truncate(length);
  tiles.cut(length);
}

std::vector<std::byte> Session::save() const {
  if (!tiles.empty()) throw Error(ErrorCode::unsupported, "cannot be saved: it has images", "session");
  const ModelInfo& info = sequence.model().info();
  Header header;
  header.kv_type = saved_kind(info.kv_cache);
  header.model = info.fingerprint;
  header.tokens = static_cast<std::uint32_t>(tokens.size());
  const Sequence nothing(sequence.workspace());
  const Sequence& kept = sequence.changes().empty() ? sequence : nothing;
  header.read = static_cast<std::uint32_t>(kept.tokens().size());
  std::vector<std::byte> saved(sizeof(Header) + tokens.size() * sizeof(TokenId));
  std::memcpy(saved.data(), &header, sizeof(Header));
  if (!tokens.empty()) std::memcpy(saved.data() + sizeof(Header), tokens.data(), tokens.size() * sizeof(TokenId));
  kept.save(saved);
  const std::uint64_t checksum = checksum_of(saved);
  saved.resize(saved.size() + sizeof(checksum));
  std::memcpy(saved.data() + saved.size() - sizeof(checksum), &checksum, sizeof(checksum));
  return saved;
}

Session restore_session(Workspace& workspace, std::span<const std::byte> saved) {
  const ModelInfo& info = workspace.model().info();
  Session session(workspace);
  Header header, expected;
  std::uint64_t checksum;
  if (saved.size() < sizeof(Header) + sizeof(checksum)) refuse("these bytes are not a saved session");
  std::memcpy(&header, saved.data(), sizeof(Header));
  if (header.magic != expected.magic) refuse("these bytes are not a saved session");
  if (header.version != expected.version)
    refuse("was saved in format version " + std::to_string(header.version) + "; this is version " +
           std::to_string(expected.version));
  const auto content = saved.first(saved.size() - sizeof(checksum));
  std::memcpy(&checksum, saved.data() + content.size(), sizeof(checksum));
  if (checksum != checksum_of(content)) refuse("is damaged");
  if (header.model != info.fingerprint) refuse("belongs to another model");
  if (header.kv_type != saved_kind(info.kv_cache)) refuse("was saved with a different kvCache");
  const bool fits = header.tokens <= info.context_length + std::uint64_t{1};  // the last token may not have been processed yet
  if (!fits || header.read > header.tokens || header.read > info.context_length)
    refuse("has " + std::to_string(header.tokens) + " tokens, but the context has room for " + std::to_string(info.context_length));

  auto left = content.subspan(sizeof(Header));
  if (left.size() / sizeof(TokenId) < header.tokens) refuse("is damaged");
  session.tokens.resize(header.tokens);
  if (header.tokens > 0) std::memcpy(session.tokens.data(), left.data(), header.tokens * sizeof(TokenId));
  left = left.subspan(header.tokens * sizeof(TokenId));
  const auto vocabulary = static_cast<TokenId>(info.vocabulary);
  if (std::ranges::any_of(session.tokens, [&](TokenId id) { return id < 0 || id >= vocabulary; })) refuse("is damaged");
  try {
    if (session.sequence.load(left, std::span(session.tokens).first(header.read)) != left.size()) refuse("is damaged");
  } catch (const std::out_of_range&) {
    refuse("is damaged");
  }
  return session;
}

}  // namespace heed::runtime

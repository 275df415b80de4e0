// The engine's sessions.
#include <utility>

#include "base/error.hpp"
#include "engine/engine.hpp"

namespace heed::engine {

SessionId Engine::create_session() { return hold(runtime::Session(workspace_)); }

SessionId Engine::fork_session(SessionId id) { return hold(idle_session(id)); }

void Engine::truncate_session(SessionId id, std::size_t length) { idle_session(id).truncate(length); }

std::span<const TokenId> Engine::session_tokens(SessionId id) { return find_session(id)->second.session.tokens; }

std::vector<std::byte> Engine::save_session(SessionId id) { return idle_session(id).save(); }

SessionId Engine::restore_session(std::span<const std::byte> saved) { return hold(runtime::restore_session(workspace_, saved)); }

void Engine::free_session(SessionId id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return;
  HeldSession& held = found->second;
  if (!held.generation) return drop(found);
  held.freed = true;
  abort(*held.generation);
}

SessionId Engine::hold(runtime::Session session) {
  const SessionId id{++last_session_};
  sessions_.emplace(id, HeldSession{std::move(session)});
  return id;
}

void Engine::drop(Sessions::iterator held) {
  prefix_cache_.keep(std::move(held->second.session.sequence));
  sessions_.erase(held);
}

Engine::Sessions::iterator Engine::find_session(SessionId id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end() || found->second.freed)
    throw Error(ErrorCode::invalid_argument, "no session has this number", "session");
  return found;
}

/// A session that no generation continues.
runtime::Session& Engine::idle_session(SessionId id) {
  HeldSession& held = find_session(id)->second;
  if (held.generation) throw Error(ErrorCode::invalid_argument, "a generation is continuing it", "session");
  return held.session;
}

}  // namespace heed::engine

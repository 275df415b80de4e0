// The texts that are being written, by the numbers of their calls, and the sessions that they go on from.
#pragma once

#include <emscripten/val.h>

#include <map>
#include <memory>
#include <vector>

#include "convert.hpp"
#include "runtime/generate.hpp"
#include "runtime/prefix_cache.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/session.hpp"

namespace heed::bindings {

using tokenizer::TokenId;

class Writer {
 public:
  explicit Writer(runtime::Workspace& workspace);

  /// Goes on from a session, which then belongs to it until it ends, or from nothing (0). Throws as Generation does.
  void begin(int id, int session, std::vector<TokenId> prompt, runtime::GenerateOptions options);
  bool writes() const noexcept { return !texts_.empty(); }
  /// One pass for all texts; an array of steps (bindings/js/worker/engine.ts).
  val pass();
  void abort(int id);

  void open_session(int id) { put_session(id, runtime::Session(workspace_)); }
  void fork_session(int from, int to) { put_session(to, session(from)); }
  void close_session(int id);
  /// Throws invalid_argument where there is none.
  runtime::Session& session(int id);
  void put_session(int id, runtime::Session session) { sessions_.insert_or_assign(id, std::move(session)); }

  runtime::PrefixCache& kept() noexcept { return kept_; }

 private:
  struct Text {
    int session;                             // 0: none
    std::unique_ptr<runtime::Sequence> own;  // where there is none
    std::unique_ptr<runtime::Generation> generation;
  };
  void tell_steps(int id, Text& text, val& steps);
  void finish(std::map<int, Text>::iterator text);
  val describe(const runtime::GeneratedToken& token) const;

  runtime::Workspace& workspace_;
  runtime::PrefixCache kept_;
  runtime::Scheduler scheduler_;
  std::map<int, runtime::Session> sessions_;
  std::map<int, Text> texts_;
};

}  // namespace heed::bindings

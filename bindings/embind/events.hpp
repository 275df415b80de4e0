// The engine's events as JavaScript objects (EngineEvent in bindings/js/worker/engine.ts).
#pragma once

#include <span>

#include "convert.hpp"
#include "engine/events.hpp"

namespace heed::bindings {

val to_javascript(std::span<const engine::Event> events, const tokenizer::Tokenizer& tokenizer);

}  // namespace heed::bindings

// Written by tools/contract from api/: the methods of the engine's objects that bindings/js/worker/engine.ts declares.
#pragma once

#include <emscripten/bind.h>

#include "guard.hpp"

namespace heed::bindings {

template <class Class>
auto register_engine() {
  return emscripten::class_<Class>("Engine")
      .function("transcribe", &Guarded<&Class::transcribe>::call, emscripten::allow_raw_pointers())
      .function("open", &Guarded<&Class::open>::call)
      .function("input", &Guarded<&Class::input>::call)
      .function("write", &Guarded<&Class::write>::call)
      .function("bytesExpected", &Guarded<&Class::bytes_expected>::call)
      .function("finish", &Guarded<&Class::finish>::call)
      .function("openProjector", &Guarded<&Class::open_projector>::call)
      .function("finishProjector", &Guarded<&Class::finish_projector>::call)
      .function("openDraft", &Guarded<&Class::open_draft>::call)
      .function("finishDraft", &Guarded<&Class::finish_draft>::call)
      .function("info", &Guarded<&Class::info>::call)
      .function("memory", &Guarded<&Class::memory>::call)
      .function("forecast", &Guarded<&Class::forecast>::call)
      .function("tokenize", &Guarded<&Class::tokenize>::call)
      .function("tokenizeParts", &Guarded<&Class::tokenize_parts>::call)
      .function("planPictures", &Guarded<&Class::plan_pictures>::call)
      .function("readPictures", &Guarded<&Class::read_pictures>::call, emscripten::allow_raw_pointers())
      .function("planImage", &Guarded<&Class::plan_image>::call)
      .function("hear", &Guarded<&Class::hear>::call)
      .function("planSound", &Guarded<&Class::plan_sound>::call)
      .function("detokenize", &Guarded<&Class::detokenize>::call)
      .function("detokenizeBytes", &Guarded<&Class::detokenize_bytes>::call)
      .function("tokenizePair", &Guarded<&Class::tokenize_pair>::call)
      .function("findToken", &Guarded<&Class::find_token>::call)
      .function("tokenTexts", &Guarded<&Class::token_texts>::call)
      .function("begin", &Guarded<&Class::begin>::call)
      .function("step", &Guarded<&Class::step>::call)
      .function("promptRead", &Guarded<&Class::prompt_read>::call)
      .function("abort", &Guarded<&Class::abort>::call)
      .function("createSession", &Guarded<&Class::create_session>::call)
      .function("forkSession", &Guarded<&Class::fork_session>::call)
      .function("restoreSession", &Guarded<&Class::restore_session>::call)
      .function("sessionTokens", &Guarded<&Class::session_tokens>::call)
      .function("truncateSession", &Guarded<&Class::truncate_session>::call)
      .function("saveSession", &Guarded<&Class::save_session>::call)
      .function("freeSession", &Guarded<&Class::free_session>::call)
      .function("addAdapter", &Guarded<&Class::add_adapter>::call)
      .function("removeAdapter", &Guarded<&Class::remove_adapter>::call)
      .function("controlVector", &Guarded<&Class::control_vector>::call)
      .function("read", &Guarded<&Class::read>::call, emscripten::allow_raw_pointers())
      .function("embed", &Guarded<&Class::embed>::call)
      .function("predict", &Guarded<&Class::predict>::call)
      .function("unmask", &Guarded<&Class::unmask>::call)
      .function("scores", &Guarded<&Class::scores>::call)
      .function("recordEncoder", &Guarded<&Class::record_encoder>::call)
      .function("embedImage", &Guarded<&Class::embed_image>::call)
      .function("classify", &Guarded<&Class::classify>::call)
      .function("recordImage", &Guarded<&Class::record_image>::call)
      .function("labels", &Guarded<&Class::labels>::call)
      .function("points", &Guarded<&Class::points>::call)
      .function("unembed", &Guarded<&Class::unembed>::call)
      .function("multiply", &Guarded<&Class::multiply>::call)
      .function("tensor", &Guarded<&Class::tensor>::call)
      .function("scoreOf", &Guarded<&Class::score_of>::call);
}

template <class Class>
auto register_decoder_run() {
  return emscripten::class_<Class>("DecoderRun")
      .function("change", &Guarded<&Class::change>::call)
      .function("watch", &Guarded<&Class::watch>::call)
      .function("encode", &Guarded<&Class::encode>::call)
      .function("reuse", &Guarded<&Class::reuse>::call)
      .function("nextPass", &Guarded<&Class::next_pass>::call)
      .function("forward", &Guarded<&Class::forward>::call)
      .function("watched", &Guarded<&Class::watched>::call)
      .function("shapes", &Guarded<&Class::shapes>::call)
      .function("score", &Guarded<&Class::score>::call)
      .function("attribute", &Guarded<&Class::attribute>::call)
      .function("vary", &Guarded<&Class::vary>::call)
      .function("lens", &Guarded<&Class::lens>::call);
}

template <class Class>
auto register_picture_reading() {
  return emscripten::class_<Class>("PictureReading")
      .function("done", &Guarded<&Class::done>::call)
      .function("step", &Guarded<&Class::step>::call)
      .function("ids", &Guarded<&Class::ids>::call);
}

template <class Class>
auto register_transcription() {
  return emscripten::class_<Class>("Transcription")
      .function("done", &Guarded<&Class::done>::call)
      .function("step", &Guarded<&Class::step>::call)
      .function("heard", &Guarded<&Class::heard>::call)
      .function("length", &Guarded<&Class::length>::call)
      .function("language", &Guarded<&Class::language>::call);
}

}  // namespace heed::bindings

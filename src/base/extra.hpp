// The part of the engine that few pages use: in WebAssembly, a module of its own (cmake/extra.cmake).
#pragma once

namespace heed {

/// Makes sure that the module is present. Where exceptions may be thrown, code of that part can be called without this: if the
/// module is absent, the call throws a JavaScript error, and the worker repeats it with the module (bindings/js/worker/extra.ts).
/// Call this before such code runs where nothing may throw, or on several threads.
void require_extra();

}  // namespace heed

// The part of the engine that few pages use: in WebAssembly, a module of its own (cmake/extra.cmake).
#pragma once

namespace heed {

/// Code of that part may be called from anywhere that may throw: as long as the module is absent, the call throws an error of JavaScript's,
/// and the worker repeats it with the module (bindings/js/worker/extra.ts). This must be called before such code runs where nothing may
/// throw, or on several threads.
void require_extra();

}  // namespace heed

// A library for Emscripten (--js-library) that replaces a function of its own: the glue does not start the workers of threads,
// because it would have to name its own file in a way that bundlers do not support. Instead, it takes workers that have been
// started, from `Module.workers` (bindings/js/worker/start-engine.ts).
LibraryManager.library.$PThread.allocateUnusedWorker = () => {
  PThread.unusedWorkers.push(Module['workers'][PThread.unusedWorkers.length])
}

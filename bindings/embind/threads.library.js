// A library of Emscripten's (--js-library) that changes one of its own: the workers of threads are not made by
// the glue, which would have to name its own file in a way that bundlers fall over, but are given to it, started,
// as `Module.workers` (bindings/js/worker/start-engine.ts).
LibraryManager.library.$PThread.allocateUnusedWorker = () => {
  PThread.unusedWorkers.push(Module['workers'][PThread.unusedWorkers.length])
}

// A library for Emscripten (--js-library) that replaces functions of its own: the glue does not start the workers of threads,
// because it would have to name its own file in a way that bundlers do not support. Instead, it takes workers that have been
// started, from `Module.workers` (bindings/js/worker/start-engine.ts).
LibraryManager.library.$PThread.allocateUnusedWorker = () => {
  PThread.unusedWorkers.push(Module['workers'][PThread.unusedWorkers.length])
}
// Only the engine's thread starts others, and the engine never exits, so this always runs on that thread.
LibraryManager.library.__pthread_create_js = (pthread_ptr, attr, startRoutine, arg) =>
  spawnThread({ pthread_ptr, startRoutine, arg })
LibraryManager.library.__pthread_create_js__deps = ['$spawnThread']
LibraryManager.library.exit = () => abort('')
LibraryManager.library.exit__deps = []

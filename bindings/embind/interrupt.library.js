// A library for Emscripten (--js-library): the page interrupts the engine by a byte that is not in the engine's memory. If the page had a
// view of that memory, the memory of a model that has been disposed would stay until the page collects its garbage.
LibraryManager.library.heed_take_interrupt = () => Atomics.exchange(Module['interrupt'], 0, 0)

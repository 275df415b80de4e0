// A library for Emscripten (--js-library): the page interrupts the engine through a byte outside the engine's memory. A view of
// that memory would keep the memory of a disposed model until the page collects its garbage.
LibraryManager.library.heed_take_interrupt = () => Atomics.exchange(Module['interrupt'], 0, 0)

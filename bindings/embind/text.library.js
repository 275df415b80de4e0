// A library for Emscripten (--js-library) that replaces a value of its own: strings of the engine are parts of texts, so U+FEFF at their
// beginning is a character, not a byte order mark.
LibraryManager.library.$UTF8Decoder = "new TextDecoder('utf-8', { ignoreBOM: true })"

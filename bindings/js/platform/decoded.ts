// Texts from the bytes of files and of modules.

/** A part of a text from its bytes. U+FEFF at its beginning is a character of the text: only a file's first one marks its encoding. */
export const decoded = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

// Decodes UTF-8.

/** Decodes part of a text. Keeps a leading U+FEFF, which only marks the encoding at the beginning of a file. */
export const decoded = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

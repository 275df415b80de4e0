// Decodes UTF-8.

/** Decodes a part of a text. Keeps U+FEFF at its beginning, which marks the encoding only at the beginning of a file. */
export const decoded = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

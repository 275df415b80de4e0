// Small WebAssembly modules that show whether a feature exists.

/** The bytes of a module, from the hexadecimal bytes of its sections. */
export const moduleOf = (sections: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(`0061736d 01000000 ${sections}`.match(/\w\w/g)!, byte => parseInt(byte, 16))

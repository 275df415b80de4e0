// A segment of a transcript in the messages of the engine's worker.

/** Times are in hundredths of a second. */
export interface WireSegment {
  start: number
  end: number
  /** The start of the window in which the segment was heard. */
  seek: number
  /** UTF-8, which may end inside a character. */
  text: Uint8Array
  tokens: Int32Array
  /** With `words`: when each token of text begins (`begins`), and when the next token begins (`times`). */
  begins: Int32Array
  times: Int32Array
  /** The length of each token of text in bytes. */
  lengths: Int32Array
  /** With `attention`: the weights, as heads x tokens of text x `positions`; a position is 0.02 s, from `seek` on. */
  positions: number
  attention: Float32Array
  logprob: number
  noSpeech: number
  temperature: number
}

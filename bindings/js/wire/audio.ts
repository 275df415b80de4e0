// A segment of a transcript in the messages of the engine's worker.

/** Times are in hundredths of a second. */
export interface WireSegment {
  start: number
  end: number
  /** Where the window in which it was heard begins. */
  seek: number
  /** UTF-8, which may end inside a character. */
  text: Uint8Array
  tokens: Int32Array
  /** With `words`: when each token of text begins, and when the next one does. */
  begins: Int32Array
  times: Int32Array
  /** The length of each token of text in bytes. */
  lengths: Int32Array
  /** With `attention`: heads x tokens of text x positions of 0.02 s from `seek` on. */
  positions: number
  attention: Float32Array
  logprob: number
  noSpeech: number
  temperature: number
}

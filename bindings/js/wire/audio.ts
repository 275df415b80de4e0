// A segment of a transcript in the messages of the engine's worker.

/** Times are in hundredths of a second. */
export interface WireSegment {
  start: number
  end: number
  /** Where its window begins. */
  seek: number
  /** UTF-8, which may end inside a character. */
  text: Uint8Array
  tokens: Int32Array
  /** With `words`: the time of each token of text, and its length in bytes. */
  times: Int32Array
  lengths: Int32Array
  logprob: number
  noSpeech: number
  temperature: number
}

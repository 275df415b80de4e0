// Segments of a transcript as the engine reports them, and the words in them.
import type { ModelInfo, SoundAttention, TranscriptSegment, TranscriptWord } from '../../types/index.js'
import type { WireSegment } from '../../wire/audio.js'
import type { TranscribeParameters } from '../../wire/options.generated.js'
import { chosen, shapeOf } from '../heads.js'

/** Languages that write no spaces between words: each token is a word. */
const unspaced = ['zh', 'ja', 'th', 'lo', 'my', 'km', 'yue', 'bo']

const seconds = (hundredths: number) => hundredths / 100

/** A head whose attention is reported with a segment's words. */
export type Head = Pick<SoundAttention, 'layer' | 'head'>

/** The heads whose attention is asked for. Turns on `options.words`, because attention is reported per word. */
export function shownHeads(options: TranscribeParameters, info: ModelInfo): Head[] {
  if (!options.attention) return []
  options.words = true
  const { layers, heads } = chosen(options.attention, shapeOf(info))
  return layers.flatMap(layer => heads.map(head => ({ layer, head })))
}

/** Converts a segment to the public type. `heads`: the heads whose attention was requested. */
export function segmentOf(segment: WireSegment, language: string, heads: readonly Head[]): TranscriptSegment {
  const { start, end, seek, text, tokens, times, logprob, noSpeech, temperature } = segment
  return {
    text: new TextDecoder().decode(text),
    start: seconds(start),
    end: seconds(end),
    windowStart: seconds(seek),
    tokens: [...tokens],
    ...(times.length > 0 && { words: wordsOf(segment, unspaced.includes(language), heads) }),
    logprob,
    noSpeechProbability: noSpeech,
    temperature,
  }
}

/** Consecutive tokens of a segment that form a word, or at least whole characters. */
interface Piece {
  text: string
  /** The index of the first token, and the index after the last. */
  from: number
  to: number
}

/** Splits a segment's tokens into the shortest runs that hold whole characters. */
function pieces({ text, lengths }: WireSegment): Piece[] {
  const found: Piece[] = []
  let [from, begin, end] = [0, 0, 0] // the first token of a piece; byte offsets in the text
  for (const [at, length] of lengths.entries()) {
    end += length
    if (end < text.length && (text[end]! & 0xc0) === 0x80) continue // inside a character
    if (end > begin) found.push({ text: new TextDecoder().decode(text.subarray(begin, end)), from, to: at + 1 })
    from = at + 1
    begin = end
  }
  return found
}

/**
 * A word begins at a piece with a leading space, or, in languages without spaces, at each piece. A piece without letters and digits
 * joins the word before it.
 */
function wordsOf(segment: WireSegment, isUnspaced: boolean, heads: readonly Head[]): TranscriptWord[] {
  const words: (Piece & { hasLetters: boolean })[] = []
  for (const piece of pieces(segment)) {
    const hasLetters = /[\p{L}\p{N}]/u.test(piece.text)
    const last = words.at(-1)
    const begins = !last || (hasLetters && (isUnspaced || piece.text.startsWith(' ')))
    if (begins) words.push({ ...piece, hasLetters })
    else {
      last.text += piece.text
      last.to = piece.to
      last.hasLetters ||= hasLetters
    }
  }
  const within = (time: number) => seconds(Math.max(segment.start, Math.min(time, segment.end)))
  return words.map(({ text, from, to }) => ({
    text: text.trim(),
    start: within(segment.begins[from]!),
    end: within(segment.times[to - 1]!),
    ...(heads.length > 0 && { attention: heads.map((head, at) => ({ ...head, weights: meanOf(segment, at, from, to) })) }),
  }))
}

/** The attention weights of a head over the sound's positions: their mean over tokens `from` to `to` (exclusive). */
function meanOf({ attention, lengths, positions }: WireSegment, head: number, from: number, to: number): Float32Array {
  const row = (token: number) => (head * lengths.length + token) * positions
  const weights = attention.slice(row(from), row(from + 1))
  for (let token = from + 1; token < to; token++) {
    for (let at = 0; at < positions; at++) weights[at]! += attention[row(token) + at]!
  }
  return to - from === 1 ? weights : weights.map(weight => weight / (to - from))
}

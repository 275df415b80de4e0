// Segments of a transcript as the engine reports them, and the words in them.
import type { TranscriptSegment, TranscriptWord } from '../../types/index.js'
import type { WireSegment } from '../../wire/audio.js'

/** Languages that write no spaces between words: each token is a word. */
const unspaced = ['zh', 'ja', 'th', 'lo', 'my', 'km', 'yue', 'bo']

const seconds = (hundredths: number) => hundredths / 100

export function segmentOf(segment: WireSegment, language: string): TranscriptSegment {
  const { start, end, seek, text, tokens, times, logprob, noSpeech, temperature } = segment
  return {
    text: new TextDecoder().decode(text),
    start: seconds(start),
    end: seconds(end),
    windowStart: seconds(seek),
    tokens: [...tokens],
    ...(times.length > 0 && { words: wordsOf(segment, unspaced.includes(language)) }),
    logprob,
    noSpeechProbability: noSpeech,
    temperature,
  }
}

/** Runs of tokens with whole characters, and the time of the first of each. */
function pieces({ text, times, lengths }: WireSegment): { text: string; time: number }[] {
  const found: { text: string; time: number }[] = []
  let from = 0
  let end = 0
  let time: number | undefined
  for (const [at, length] of lengths.entries()) {
    end += length
    time ??= times[at]!
    if (end < text.length && (text[end]! & 0xc0) === 0x80) continue // inside a character
    if (end > from) found.push({ text: new TextDecoder().decode(text.subarray(from, end)), time })
    from = end
    time = undefined
  }
  return found
}

/** A word begins with a space, or is a token where words have none; what has neither letters nor digits belongs to the word before. */
function wordsOf(segment: WireSegment, isUnspaced: boolean): TranscriptWord[] {
  const words: (TranscriptWord & { hasLetters: boolean })[] = []
  for (const { text, time } of pieces(segment)) {
    const hasLetters = /[\p{L}\p{N}]/u.test(text)
    const last = words.at(-1)
    const begins = !last || (hasLetters && (isUnspaced || text.startsWith(' ')))
    if (begins) words.push({ text, start: seconds(time), end: seconds(segment.end), hasLetters })
    else {
      last.text += text
      last.hasLetters ||= hasLetters
    }
  }
  return words.map(({ text, start }, at) => {
    const end = words[at + 1]?.start ?? Math.max(seconds(segment.end), start)
    return { text: text.trim(), start, end }
  })
}

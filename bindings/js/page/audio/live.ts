// Transcribes a sound while it arrives: each pass reads all that is not settled yet. A segment is settled once two consecutive
// passes agree on its text and enough sound follows it; the next pass begins at its end.
import type { TranscribeProgress, TranscriptSegment } from '../../types/index.js'
import { HeedError } from '../../wire/errors.js'
import type { TranscribeParameters } from '../../wire/options.generated.js'
import { onAbort } from '../on-abort.js'
import { microphoneRate, samplesOfStream } from './microphone.js'
import type { LiveSound } from './read-audio.js'

/** Seconds that must arrive before the next pass. */
const step = 0.5
/** At least this many seconds of sound must follow a segment before it is settled. */
const margin = 1
/** After this many seconds, segments are settled even if passes do not agree yet, because a window holds only 30 seconds. */
const longest = 25
/** After this many seconds without a segment, the sound is skipped, except for its last second. */
const silence = 5
/** Characters of settled text that a pass gets as its prompt. */
const context = 200

export interface LiveTask {
  options: TranscribeParameters
  stop: AbortSignal
  /** Transcribes samples, and resolves to the segments and the language. */
  pass(
    sound: Float32Array,
    rate: number,
    options: TranscribeParameters,
  ): Promise<{ segments: TranscriptSegment[]; language: string }>
  put(segment: TranscriptSegment): void
  onInterim?(segments: TranscriptSegment[]): void
  onSamples?(samples: Float32Array): void
  note(progress: TranscribeProgress & { language: string }): void
  /** The address of heed-microphone.js, where there is one. */
  microphone(): string | undefined
}

/** Transcribes the sound to its end. Fails with the errors of the sound and of the passes; ends at once if `stop` is aborted. */
export async function transcribeLive(sound: LiveSound, task: LiveTask): Promise<void> {
  const { stop, put, onInterim, note, pass } = task
  const rate = 'stream' in sound ? microphoneRate : sound.rate
  const source = 'stream' in sound ? samplesOfStream(sound.stream, task.microphone()) : iteratorOf(sound.pieces)
  const tape = new Tape(source, stop, task.onSamples)
  let options = task.options
  let settled = 0 // seconds
  let said = options.prompt ?? ''
  let interim: TranscriptSegment[] = []
  try {
    for (let isLast = false; !isLast; ) {
      isLast = await tape.reaches(tape.heard + step * rate)
      if (stop.aborted) return
      const samples = tape.from(Math.round(settled * rate))
      const total = tape.heard / rate
      const { segments, language } = await pass(samples, rate, { ...options, prompt: said.slice(-context) || undefined })
      const later = segments.map(segment => shifted(segment, settled, total))
      const count = isLast ? later.length : settledCount(later, interim, settled, total)
      for (const segment of later.slice(0, count)) {
        put(segment)
        said += segment.text
        settled = segment.end
        if (options.language === 'auto') options = { ...options, language }
      }
      interim = later.slice(count)
      if (later.length === 0 && total - settled > silence) settled = total - 1
      onInterim?.(interim)
      note({ done: isLast ? total : settled, total, language })
    }
  } finally {
    tape.close()
  }
}

/** How many of the segments are settled; `before`: the unsettled segments of the previous pass. */
function settledCount(
  segments: readonly TranscriptSegment[],
  before: readonly TranscriptSegment[],
  from: number,
  total: number,
): number {
  let count = 0
  for (const [at, { text, end }] of segments.entries()) {
    if (end > total - margin || text !== before[at]?.text) break
    count++
  }
  return count === 0 && total - from > longest ? Math.max(segments.length - 1, Math.min(segments.length, 1)) : count
}

/** A segment `by` seconds later, but not beyond `total`: without timestamps, it ends with its window, perhaps after the sound. */
function shifted(segment: TranscriptSegment, by: number, total: number): TranscriptSegment {
  const later = (seconds: number) => Math.round(Math.min(seconds + by, total) * 100) / 100
  return {
    ...segment,
    start: later(segment.start),
    end: later(segment.end),
    windowStart: later(segment.windowStart),
    ...(segment.words && { words: segment.words.map(word => ({ ...word, start: later(word.start), end: later(word.end) })) }),
  }
}

/**
 * Reads a stream with a reader: not every browser can iterate over streams, and a `for await` loop cannot be left while it waits.
 */
function iteratorOf(source: AsyncIterable<Float32Array> | ReadableStream<Float32Array>): AsyncIterator<Float32Array> {
  if (!('getReader' in source)) return source[Symbol.asyncIterator]()
  const reader = source.getReader()
  return {
    next: () => reader.read() as Promise<IteratorResult<Float32Array>>,
    async return() {
      await reader.cancel()
      return { done: true, value: undefined }
    },
  }
}

/** The samples that have arrived, except those before the index last passed to `from`. */
class Tape {
  readonly #pieces: Float32Array[] = []
  readonly #stop: AbortSignal
  readonly #source: AsyncIterator<Float32Array>
  readonly #onSamples: LiveTask['onSamples']
  #first = 0 // number of samples before the pieces
  #length = 0
  #ended = false
  #error?: { cause: unknown }
  #wake = () => {}
  /** The number of samples that had arrived at the last call of `from`. */
  heard = 0

  constructor(source: AsyncIterator<Float32Array>, stop: AbortSignal, onSamples: LiveTask['onSamples']) {
    this.#onSamples = onSamples
    this.#stop = stop
    this.#source = source
    void this.#record()
  }

  async #record(): Promise<void> {
    try {
      for (let next; !(next = await this.#source.next()).done && !this.#ended; ) this.#add(next.value)
    } catch (cause) {
      this.#error = { cause }
    }
    this.#ended = true
    this.#wake()
  }

  #add(piece: unknown): void {
    if (Object.prototype.toString.call(piece) !== '[object Float32Array]')
      throw new HeedError('invalid-argument', 'transcribe: audio: the pieces of a sound that arrives must be Float32Arrays')
    this.#pieces.push((piece as Float32Array).slice())
    this.#length += (piece as Float32Array).length
    this.#onSamples?.((piece as Float32Array).slice())
    this.#wake()
  }

  /** Waits for `count` samples, the sound's end or an abort; returns whether the sound has ended. Throws the source's errors. */
  async reaches(count: number): Promise<boolean> {
    const left = onAbort(this.#stop, () => this.#wake())
    try {
      while (this.#length < count && !this.#ended && !this.#stop.aborted)
        await new Promise<void>(resolve => {
          this.#wake = resolve
        })
    } finally {
      left()
    }
    if (this.#error) throw this.#error.cause
    return this.#ended
  }

  /** All samples from index `first` on; earlier ones are dropped. */
  from(first: number): Float32Array {
    while (this.#pieces.length > 0 && this.#first + this.#pieces[0]!.length <= first) this.#first += this.#pieces.shift()!.length
    const samples = new Float32Array(Math.max(this.#length - this.#first, 0))
    let at = 0
    for (const piece of this.#pieces) {
      samples.set(piece, at)
      at += piece.length
    }
    this.heard = this.#length
    return samples.subarray(Math.max(first - this.#first, 0))
  }

  close(): void {
    this.#ended = true
    void this.#source.return?.()?.catch?.(() => {})
  }
}

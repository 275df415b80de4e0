// Transcribes a sound while it arrives: again and again what is not settled yet. A segment is settled once two passes in turn agree on
// its text and enough was said after it; the next pass begins where it ends.
import type { TranscribeProgress, TranscriptSegment } from '../../types/index.js'
import { HeedError } from '../../wire/errors.js'
import type { TranscribeParameters } from '../../wire/options.generated.js'
import { onAbort } from '../on-abort.js'
import { microphoneRate, samplesOfStream } from './microphone.js'
import type { LiveSound } from './read-audio.js'

/** Seconds that must arrive before the next pass. */
const step = 0.5
/** Seconds between the end of a settled segment and the end of the sound so far. */
const margin = 1
/** Seconds after which segments are settled that are none yet: a window has 30. */
const longest = 25
/** Seconds without a word after which what was heard is left behind, but for the last one. */
const silence = 5
/** Characters of the settled text that a pass is told. */
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

/** Fails as the sound and the passes do; ends at once if `stop` is aborted. */
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

/** How many of the segments are settled; `before`: those of the last pass that were not. */
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

/** The times of a segment of samples that begin at `by`; without times of its own, it would end with its window. */
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

/** Not every browser iterates over streams; and a loop over one cannot be left while it waits. */
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

/** What has arrived of a sound, from the last place on that was asked for. */
class Tape {
  readonly #pieces: Float32Array[] = []
  readonly #stop: AbortSignal
  readonly #source: AsyncIterator<Float32Array>
  readonly #onSamples: LiveTask['onSamples']
  #first = 0 // samples before the pieces
  #length = 0
  #ended = false
  #error?: { cause: unknown }
  #wake = () => {}
  /** Samples at the last call of `from`. */
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

  /** Waits until there are `count` samples or no more will come, which it returns. Throws what the source throws. */
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

  /** All samples from one on; those before are forgotten. */
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

// Reports the progress and the speed of a load or a download at intervals.
import type { LoadProgress } from '../types/index.js'

const everyMs = 50
/** The period that the speed is measured over. */
const windowMs = 3_000

export class ProgressReport {
  readonly #post: (progress: LoadProgress) => void
  #last: LoadProgress = { phase: 'resolve', loaded: 0, cached: 0 }
  #postedAt = -Infinity
  #marks: { time: number; loaded: number }[] = []

  constructor(post: (progress: LoadProgress) => void) {
    this.#post = post
  }

  /** Posts the change, unless the last post was less than `everyMs` ago; a new phase and a notice are always posted. */
  update(change: Partial<Omit<LoadProgress, 'bytesPerSecond'>>, always = false): void {
    const isNew = change.phase !== undefined && change.phase !== this.#last.phase
    if (isNew) this.#marks = []
    const { notice, ...rest } = { ...this.#last, ...change }
    this.#last = rest
    const now = performance.now()
    if (!always && !isNew && change.notice === undefined && now - this.#postedAt < everyMs) return
    this.#postedAt = now
    const { phase, loaded, cached } = rest
    const bytesPerSecond = this.#speed(now, phase === 'download' ? loaded - cached : loaded) // bytes that arrived in this load
    this.#post({
      ...rest,
      ...(bytesPerSecond && { bytesPerSecond }),
      ...(change.notice !== undefined && { notice: change.notice }),
    })
  }

  /** Posts the last report of a call that stores a model: all bytes are there. */
  end(phase: 'download' | 'import', bytes: number): void {
    const cached = phase === this.#last.phase ? this.#last.cached : phase === 'import' ? 0 : bytes
    this.update({ phase, loaded: bytes, total: bytes, cached }, true)
  }

  #speed(time: number, loaded: number): number | undefined {
    const marks = this.#marks
    marks.push({ time, loaded })
    while (marks.length > 2 && marks[1]!.time < time - windowMs) marks.shift()
    const first = marks[0]!
    if (loaded < first.loaded) {
      this.#marks = [{ time, loaded }]
      return undefined
    }
    return time > first.time ? Math.round(((loaded - first.loaded) / (time - first.time)) * 1000) : undefined
  }
}

// How fast a model arrives, for phases of which the package does not say it: reading a file, storing it, verifying it.
import type { LoadProgress } from 'heed'

/** What is too short to tell a rate from. */
const leastMs = 500

export class Speed {
  #of?: unknown
  #phase?: string
  #since = 0
  #from = 0

  /** Bytes per second; undefined as long as that is not known. `of` is what is loaded. */
  at(of: unknown, { phase, file, loaded, bytesPerSecond }: LoadProgress, now = performance.now()): number | undefined {
    const current = `${phase} ${file}`
    if (of !== this.#of || current !== this.#phase || loaded < this.#from) {
      this.#of = of
      this.#phase = current
      this.#since = now
      this.#from = loaded
    }
    if (bytesPerSecond || phase === 'download') return bytesPerSecond || undefined
    const ms = now - this.#since
    return ms < leastMs || loaded === this.#from ? undefined : ((loaded - this.#from) * 1000) / ms
  }
}

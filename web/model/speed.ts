// The speed of loading, for phases in which the package does not report it: reading a file, storing it, verifying it.
import type { LoadProgress } from 'heed'

/** The shortest period for measuring a rate. */
const leastMs = 500

export class Speed {
  #of?: unknown
  #phase?: string
  #since = 0
  #from = 0

  /** Bytes per second; undefined until known. `of` is the thing that is loaded. */
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

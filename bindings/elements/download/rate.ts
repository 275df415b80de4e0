// The rate of loading, also in phases for which the package reports none: reading, storing and verifying a file.
import type { LoadProgress } from 'heed'

/** The minimum time for measuring a rate. */
const leastMs = 500

export class Rate {
  #of?: unknown
  #phase?: string
  #since = 0
  #from = 0

  /** Bytes per second; undefined until known. `of` identifies what is loaded, if one Rate serves several loads. */
  at({ phase, file, loaded, bytesPerSecond }: LoadProgress, of?: unknown, now = performance.now()): number | undefined {
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

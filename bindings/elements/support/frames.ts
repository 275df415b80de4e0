// Schedules frequent paints in animation frames, with a pause after a slow one, so that the page stays responsive.

/** The pause after a slow paint, as a multiple of its duration. */
const pause = 3
/** Milliseconds up to which a paint needs no pause: it fits into a frame along with everything else. */
const light = 6

export class Frames {
  readonly #paint: () => void
  #frame = 0
  #timer = 0
  #next = 0

  constructor(paint: () => void) {
    this.#paint = paint
  }

  /** Requests a paint after a change. The paint includes all changes until then. */
  request(): void {
    if (this.#frame !== 0 || this.#timer !== 0) return
    const wait = this.#next - performance.now()
    if (wait <= 0) this.#frame = requestAnimationFrame(() => this.flush())
    else
      this.#timer = window.setTimeout(() => {
        this.#timer = 0
        this.#frame = requestAnimationFrame(() => this.flush())
      }, wait)
  }

  /** Paints now. */
  flush(): void {
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#timer)
    this.#frame = this.#timer = 0
    const start = performance.now()
    this.#paint()
    const end = performance.now()
    this.#next = end - start > light ? end + (end - start) * pause : 0
  }
}

// When to paint what changes all the time: in a frame of the screen, and where a frame took long, with a pause in between, so
// that most of the time is the page's.

/** What a paint took, times this, passes until the next. */
const pause = 3
/** Milliseconds that fit into a frame beside all else. */
const light = 6

export class Frames {
  readonly #paint: () => void
  #frame = 0
  #timer = 0
  #next = 0

  constructor(paint: () => void) {
    this.#paint = paint
  }

  /** Something changed: it is painted soon, along with what else changes until then. */
  request(): void {
    if (this.#frame !== 0 || this.#timer !== 0) return
    const wait = this.#next - performance.now()
    if (wait <= 0) this.#frame = requestAnimationFrame(() => this.flush())
    else this.#timer = window.setTimeout(() => {
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

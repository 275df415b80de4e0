// Plays the sound of a transcript, and reports the current position in it.
import { make } from '../support/dom.js'

export class Player {
  readonly element = make('audio', { controls: true, hidden: true, preload: 'auto', ariaLabel: 'The sound' })
  readonly #onTime: (time?: number) => void
  #address?: string

  /**
   * `onTime` is called with the current position in seconds while the sound plays and after seeking; with undefined at the end of
   * the sound and when it is closed.
   */
  constructor(onTime: (time?: number) => void) {
    this.#onTime = onTime
    const tell = () => {
      if (this.#address) onTime(this.element.ended ? undefined : this.element.currentTime)
    }
    const follow = () => {
      tell()
      if (!this.element.paused) requestAnimationFrame(follow)
    }
    this.element.addEventListener('play', follow)
    for (const event of ['seeked', 'timeupdate', 'ended']) this.element.addEventListener(event, tell)
    this.element.addEventListener('error', () => this.close()) // for example, if the browser cannot play this kind of file
  }

  /** Offers a sound in place of the previous one. */
  open(sound: Blob): void {
    this.close()
    this.#address = URL.createObjectURL(sound)
    this.element.src = this.#address
    this.element.hidden = false
  }

  close(): void {
    this.element.hidden = true
    if (!this.#address) return
    URL.revokeObjectURL(this.#address)
    this.#address = undefined
    this.element.removeAttribute('src')
    this.element.load() // otherwise, the sound would continue
    this.#onTime()
  }

  /** Plays from `start`; or pauses, if the current position is between `start` and `end`. */
  playOrPause(start: number, end = start): void {
    if (!this.#address) return
    const { paused, currentTime } = this.element
    if (!paused && start <= currentTime && currentTime < end) return this.element.pause()
    this.element.currentTime = start + 0.001 // slightly later, because browsers round times
    void this.element.play().catch(() => {}) // refused, or replaced by another sound: the controls are there
  }
}

// While the viewer shows the latest answer token by token, the conversation does not run ahead of it.
import type { HeedViewer } from 'heed/viewer'
import type { AnswerAnnouncer } from './answer-announcer.js'
import type { AnswerInViewer } from './answer-in-viewer.js'
import type { Log } from './log.js'
import type { AnswerTurn } from '../conversation/turns.js'

export class Pacing {
  readonly #viewer: HeedViewer
  readonly #inViewer: AnswerInViewer
  readonly #log: Log
  readonly #announcer: AnswerAnnouncer
  readonly #onShowing: (isShowing: boolean) => void
  #latest?: AnswerTurn
  /** Whether the latest answer is not in the viewer yet, because it is still being generated. */
  #isComing = false

  /** `onShowing` is called with whether the latest answer exists and is partly shown. */
  constructor(
    viewer: HeedViewer,
    inViewer: AnswerInViewer,
    log: Log,
    announcer: AnswerAnnouncer,
    onShowing: (isShowing: boolean) => void,
  ) {
    this.#viewer = viewer
    this.#inViewer = inViewer
    this.#log = log
    this.#announcer = announcer
    this.#onShowing = onShowing
    viewer.addEventListener('reveal', () => this.#update())
  }

  /** Begins a new answer. The previous one is no longer shown token by token. */
  begin(turn: AnswerTurn): void {
    if (this.#latest) this.#log.reveal(this.#latest)
    this.#latest = turn
    this.#isComing = true
    this.#update()
  }

  /** The answer is in the viewer, unless another one has begun. */
  end(turn: AnswerTurn): void {
    if (turn !== this.#latest) return
    this.#isComing = false
    this.#update()
  }

  #update(): void {
    const turn = this.#latest
    if (!turn) return
    const part = this.#viewer.pace === 'instant' || this.#isComing ? undefined : this.#inViewer.partOf(turn)
    this.#log.hold(turn, this.#isComing && this.#viewer.pace !== 'instant')
    this.#log.reveal(turn, part)
    if (!this.#isComing) this.#announcer.reveal(turn, part)
    this.#onShowing(part !== undefined)
  }
}

// Deletions that can be undone, the latest first: a sentence says what was deleted, beside a button that puts it back.
import { button } from './dom.js'

interface Deletion {
  /** A sentence about the deletion, without its full stop. */
  readonly what: string
  putBack(): Promise<void> | void
}

export class Undo {
  readonly #say: (...content: (Node | string)[]) => void
  readonly #failed: (error: unknown) => void
  readonly #done: () => Promise<void> | void
  readonly #deletions: Deletion[] = []

  /**
   * `say` shows a sentence and a button, or nothing. `done` is called when something was put back: the button with the focus is
   * gone.
   */
  constructor(
    say: (...content: (Node | string)[]) => void,
    done: () => Promise<void> | void,
    failed: (error: unknown) => void = () => {},
  ) {
    this.#say = say
    this.#done = done
    this.#failed = failed
  }

  add(deletion: Deletion): void {
    this.#deletions.push(deletion)
    this.#tell()
  }

  /** Nothing can be undone any more. */
  clear(): void {
    if (this.#deletions.length === 0) return
    this.#deletions.length = 0
    this.#tell()
  }

  #tell(): void {
    const last = this.#deletions.at(-1)
    if (!last) return this.#say('')
    const before = this.#deletions.length - 1
    const others = before > 0 ? `, and ${before === 1 ? 'the one' : `${before}`} before` : ''
    this.#say(
      `${last.what}${others}.`,
      button('Undo', () => void this.#undo(last)),
    )
  }

  async #undo(last: Deletion): Promise<void> {
    if (this.#deletions.at(-1) !== last) return
    this.#deletions.pop()
    this.#tell()
    try {
      await last.putBack()
    } catch (error) {
      this.#failed(error)
    }
    await this.#done()
  }
}

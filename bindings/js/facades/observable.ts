// A state that components subscribe to.

export class Observable<State> {
  #state: State
  readonly #listeners = new Set<() => void>()

  constructor(state: State) {
    this.#state = state
  }

  readonly get = (): State => this.#state

  set(state: State): void {
    this.#state = state
    for (const listener of [...this.#listeners]) listener()
  }

  /** Returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

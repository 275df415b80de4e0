// A state outside of React that components subscribe to.
import { useSyncExternalStore } from 'react'

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

export const useObservable = <State>({ get, subscribe }: Observable<State>): State => useSyncExternalStore(subscribe, get, get)

// A state outside of React that components follow.
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

  /** Returns a function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

export const useObservable = <State>({ get, subscribe }: Observable<State>): State => useSyncExternalStore(subscribe, get, get)

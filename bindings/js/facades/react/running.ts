// A call of a component that runs: one at a time, ended when the component unmounts or another begins.
import { useEffect, useInsertionEffect, useRef } from 'react'
import type { Model } from '../../page/model.js'
import { HeedError } from '../../wire/errors.js'
import { Observable } from './observable.js'

/** - `waiting`: for the model, or for its first word */
export type RunStatus = 'idle' | 'waiting' | 'streaming' | 'error'

export interface RunState {
  readonly status: RunStatus
  readonly error?: HeedError
}

/** The state of a hook's call, and the model that it waits for. */
export class Running<State extends RunState> extends Observable<State> {
  #stop?: AbortController
  #model?: Model
  #waiting: ((model: Model) => void)[] = []
  #unmounted?: ReturnType<typeof setTimeout>

  /** The model of the next calls; calls that wait for one go on with it. */
  setModel(model: Model | undefined): void {
    this.#model = model
    if (model) for (const go of this.#waiting.splice(0)) go(model)
  }

  /** Changes a part of the state. */
  patch(part: Partial<State>): void {
    this.set({ ...this.get(), ...part })
  }

  /** Follows a component. Returns what is to be called when that unmounts, which ends the call unless it mounts again, as StrictMode does. */
  mount(): () => void {
    clearTimeout(this.#unmounted)
    return () => {
      this.#unmounted = setTimeout(this.stop)
    }
  }

  /** Ends the call that runs, if there is one. */
  readonly stop = (): void => this.#stop?.abort()

  /**
   * Runs a call once there is a model. Undefined if it was stopped before or failed; the error is in the state. What an ended call would
   * still change is not changed.
   */
  async run<Result>(call: (model: Model, signal: AbortSignal) => Promise<Result>): Promise<Result | undefined> {
    this.stop()
    const stop = new AbortController()
    this.#stop = stop
    const { signal } = stop
    this.patch({ status: 'waiting', error: undefined } as Partial<State>)
    try {
      const model = this.#model ?? (await this.#nextModel(signal))
      const result = model && (await call(model, signal))
      this.#finish(stop, { status: 'idle' })
      return result
    } catch (error) {
      this.#finish(stop, signal.aborted ? { status: 'idle' } : { status: 'error', error: HeedError.from(error) })
      return undefined
    }
  }

  #finish(stop: AbortController, state: RunState): void {
    if (this.#stop !== stop) return
    this.#stop = undefined
    this.patch(state as Partial<State>)
  }

  #nextModel(signal: AbortSignal): Promise<Model | undefined> {
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      signal.addEventListener('abort', () => resolve(undefined))
    })
  }
}

/** Gives it the component's model, and ends its call when the component unmounts. */
export function useRunning(running: Running<never> | Running<RunState>, model: Model | undefined): void {
  useEffect(() => running.setModel(model), [running, model])
  useEffect(() => running.mount(), [running])
}

/** The options of the last render, for functions that stay the same. */
export function useLatest<Options>(options: Options): { readonly current: Options } {
  const latest = useRef(options)
  // In the commit itself: an event that follows has them.
  useInsertionEffect(() => {
    latest.current = options
  })
  return latest
}

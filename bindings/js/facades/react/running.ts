// A component's current call: one at a time, ended when the component unmounts or another call begins.
import { useEffect, useInsertionEffect, useRef } from 'react'
import type { Model } from '../../page/model.js'
import { HeedError } from '../../wire/errors.js'
import { Observable } from '../observable.js'

/** - `waiting`: for the model or its first token */
export type RunStatus = 'idle' | 'waiting' | 'streaming' | 'error'

export interface RunState {
  readonly status: RunStatus
  readonly error?: HeedError
}

/** The state of a hook's call, including the model that it waits for. */
export class Running<State extends RunState> extends Observable<State> {
  #stop?: AbortController
  #model?: Model
  #waiting: ((model: Model) => void)[] = []
  #unmounted?: ReturnType<typeof setTimeout>

  /** Sets the model of later calls; a call that waits for a model continues with it. */
  setModel(model: Model | undefined): void {
    this.#model = model
    if (model) for (const go of this.#waiting.splice(0)) go(model)
  }

  /** Changes a part of the state. */
  patch(part: Partial<State>): void {
    this.set({ ...this.get(), ...part })
  }

  /**
   * Binds the state to a component. Returns a function to call when it unmounts, which ends the call unless the component mounts
   * again, as in StrictMode.
   */
  mount(): () => void {
    clearTimeout(this.#unmounted)
    return () => {
      this.#unmounted = setTimeout(this.stop)
    }
  }

  /** Ends the current call, if there is one. */
  readonly stop = (): void => this.#stop?.abort()

  /**
   * Runs a call once there is a model. Undefined if it was stopped before that, or failed; the error is in the state. A call that
   * has ended no longer changes the state.
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

/** Passes on the component's model, and ends the call when the component unmounts. */
export function useRunning(running: Running<never> | Running<RunState>, model: Model | undefined): void {
  useEffect(() => running.setModel(model), [running, model])
  useEffect(() => running.mount(), [running])
}

/** The options of the last render, for functions whose identity does not change. */
export function useLatest<Options>(options: Options): { readonly current: Options } {
  const latest = useRef(options)
  // Set during the commit, so that events after it see the new options.
  useInsertionEffect(() => {
    latest.current = options
  })
  return latest
}

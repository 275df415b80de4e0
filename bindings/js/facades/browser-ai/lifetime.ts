// The time from an object's creation to its destruction, which aborts the calls that are running.
import type { Model } from '../../page/model.js'
import { abortable, anyOf, translated } from './exceptions.js'
import type { SharedModel } from './shared-model.js'

type Task<Result> = (stop: AbortSignal) => Promise<Result>

export class Lifetime {
  readonly #ended = new AbortController()
  readonly #shared: SharedModel
  readonly #model: Model
  readonly #free: () => void

  /** `signal`, an option of the creation, also ends the lifetime. `free` is called once, at the end. */
  constructor(shared: SharedModel, model: Model, { signal, free = () => {} }: { signal?: AbortSignal; free?: () => void }) {
    this.#shared = shared
    this.#model = model
    this.#free = free
    signal?.addEventListener('abort', () => this.end(signal.reason), { signal: this.#ended.signal })
  }

  end(reason: unknown): void {
    if (this.#ended.signal.aborted) return
    this.#ended.abort(reason)
    this.#free()
  }

  /** Runs a task. It rejects at once if it is aborted or the object is destroyed. */
  async run<Result>(signal: AbortSignal | undefined, task: Task<Result>): Promise<Result> {
    const stop = anyOf(this.#ended.signal, signal)
    stop.throwIfAborted()
    return abortable(
      task(stop).catch(error => {
        if (!this.#ended.signal.aborted) this.#shared.forgetAfter(error, this.#model) // an object that was destroyed fails, though its model works
        throw translated(error, 'UnknownError')
      }),
      stop,
    )
  }

  /**
   * A stream with the items that `write` puts into it. Canceling the stream aborts the signal that `write` receives. Throws if that
   * signal is aborted already, or the object is destroyed.
   */
  stream(
    signal: AbortSignal | undefined,
    write: (signal: AbortSignal, put: (delta: string) => void) => Promise<unknown>,
  ): ReadableStream<string> {
    const left = new AbortController()
    const stop = anyOf(left.signal, signal)
    for (const one of [this.#ended.signal, stop]) one.throwIfAborted()
    return new ReadableStream({
      start: controller => {
        write(stop, delta => controller.enqueue(delta)).then(
          () => controller.close(),
          error => controller.error(error),
        )
      },
      cancel: reason => left.abort(reason),
    })
  }
}

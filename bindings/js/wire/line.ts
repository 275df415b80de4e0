// A queue of tasks that run one at a time, in order.
import { HeedError } from './errors.js'

interface Waiting {
  start(): Promise<void>
  fail(reason: HeedError): void
}

export class Line {
  readonly #waiting: Waiting[] = []
  #running?: Promise<void>
  #closed?: HeedError

  /** Queues a task. An abort rejects at once while the task waits; once it runs, the task must handle the abort. */
  run<Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(this.#closed)
      if (signal?.aborted) return reject(HeedError.aborted(signal))
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        waiting.fail(HeedError.aborted(signal))
      }
      const settle = () => signal?.removeEventListener('abort', leave)
      const waiting: Waiting = {
        start: () => { settle(); return task().then(resolve, reject) },
        fail: reason => { settle(); reject(reason) },
      }
      signal?.addEventListener('abort', leave)
      this.#waiting.push(waiting)
      if (!this.#running) this.#next()
    })
  }

  /** Waiting and later tasks fail with `reason`. Resolves once no task is running. */
  async close(reason: HeedError): Promise<void> {
    this.#closed ??= reason
    for (const waiting of this.#waiting.splice(0)) waiting.fail(this.#closed)
    await this.#running
  }

  #next(): void {
    this.#running = this.#waiting.shift()?.start().then(() => this.#next())
  }
}

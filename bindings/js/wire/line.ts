// A queue of tasks that run one at a time, in order.
import type { HeedError } from './errors.js'

interface Waiting {
  start(): Promise<void>
  fail(reason: HeedError): void
}

export class Line {
  readonly #waiting: Waiting[] = []
  #running?: Promise<void>
  #closed?: HeedError

  /**
   * Queues a task. A waiting task can leave the queue: `leaving` gets the function that makes it leave, and returns a function that
   * is called when the task no longer waits.
   */
  run<Result>(task: () => Promise<Result>, leaving?: (leave: (reason: HeedError) => void) => () => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(this.#closed)
      let settle: (() => void) | undefined
      const waiting: Waiting = {
        start: () => {
          settle?.()
          return task().then(resolve, reject)
        },
        fail: reason => {
          settle?.()
          reject(reason)
        },
      }
      this.#waiting.push(waiting)
      settle = leaving?.(reason => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        waiting.fail(reason)
      })
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
    this.#running = this.#waiting
      .shift()
      ?.start()
      .then(() => this.#next())
  }
}

// Runs a model's template, as seen from the caller's thread: in a worker of its own, started at the first task. Canceling a running
// task terminates this worker; pending tasks move to a new one. The engine's worker, and with it the model, is not affected.
import type { Endpoint } from '../platform/platform.js'
import type { FromTemplates, TaskAnswer, TaskFailure, TemplateTask, ToTemplates } from '../prompting/asked.js'
import type { WebAbortSignal } from '../types/web.js'
import { HeedError, refuse } from '../wire/errors.js'
import { onAbort } from './on-abort.js'

export type TemplateWorker = Endpoint<ToTemplates, FromTemplates>

interface Asked {
  readonly task: TemplateTask
  answer(answer: TaskAnswer): void
  fail(error: unknown): void
}

/** A time limit for tasks that the template's budget (chat/jinja/budget.ts) does not end. */
const patienceMs = 30_000

const stopped = (why: string): { readonly failure: TaskFailure } => {
  const reason = `the template ${why}: it was stopped`
  return { failure: { code: 'template', message: reason, kind: 'SecurityError', reason } }
}

export class Renderer {
  readonly #startWorker: () => Promise<TemplateWorker>
  readonly #gone: WebAbortSignal
  /** Tasks without an answer. The worker performs them in this order. */
  readonly #asked: Asked[] = []
  #starting?: Promise<TemplateWorker>
  /** The worker; set once it has started. */
  #worker?: TemplateWorker
  #timer?: ReturnType<typeof setTimeout>

  /** Once `gone` is aborted, with an error as its reason, the worker ends, and all tasks fail with that error. */
  constructor(startWorker: () => Promise<TemplateWorker>, gone: WebAbortSignal) {
    this.#startWorker = startWorker
    this.#gone = gone
    onAbort(gone, () => {
      this.#end()
      for (const { fail } of this.#asked.splice(0)) fail(gone.reason)
    })
  }

  /** Starts the worker if there is none. If that fails, all tasks fail. */
  start(): void {
    if (this.#starting || this.#gone.aborted) return
    const starting = (this.#starting = this.#startWorker())
    const isThis = () => this.#starting === starting
    starting.then(
      worker => {
        worker.listen(
          answer => {
            if (isThis()) this.#receive(answer)
          },
          ({ message }) => {
            if (isThis()) this.#cut(this.#asked[0], stopped(`ended its thread (${message})`))
          },
        )
        worker.setBusy(false) // afterwards: in Node, a listener keeps the process alive
        if (!isThis()) return
        this.#worker = worker
        for (const asked of [...this.#asked]) this.#post(worker, asked)
      },
      (error: unknown) => {
        if (!isThis()) return
        this.#starting = undefined // the next task tries again
        for (const { fail } of this.#asked.splice(0)) fail(error)
      },
    )
  }

  /**
   * The answer, which may be a failure of the template. Throws, at once, `aborted` or the reason why the worker has ended;
   * `network` or `unsupported` if it cannot be started.
   */
  run<Task extends TemplateTask>(task: Task, signal?: WebAbortSignal): Promise<TaskAnswer<Task>> {
    let settled = () => {}
    return new Promise<TaskAnswer<Task>>((answer, fail) => {
      if (this.#gone.aborted) throw this.#gone.reason
      if (signal?.aborted) throw HeedError.aborted(signal)
      const asked: Asked = { task, answer: given => answer(given as TaskAnswer<Task>), fail }
      this.#asked.push(asked)
      settled = onAbort(signal, () => {
        fail(HeedError.aborted(signal))
        this.#cut(asked)
      })
      if (this.#worker) this.#post(this.#worker, asked)
      else this.start()
    }).finally(() => settled())
  }

  #post(worker: TemplateWorker, asked: Asked): void {
    try {
      worker.post(asked.task)
      if (this.#asked[0] === asked) this.#watch(worker)
    } catch (error) {
      // something in the task cannot be cloned
      this.#asked.splice(this.#asked.indexOf(asked), 1)
      asked.fail(refuse(`chat: ${(error as Error).message}`, error))
    }
  }

  #receive(message: FromTemplates): void {
    if ('waits' in message && message.waits) return clearTimeout(this.#timer)
    if (!('waits' in message)) this.#asked.shift()?.answer(message)
    this.#watch(this.#worker!)
  }

  /** Starts the time limit of the current task, if there is one; time that it waits for the engine does not count. */
  #watch(worker: TemplateWorker): void {
    clearTimeout(this.#timer)
    const [running] = this.#asked
    worker.setBusy(running !== undefined)
    if (running) this.#timer = setTimeout(() => this.#cut(running, stopped('takes too long')), patienceMs)
  }

  /** Ends a task without an answer, and with it the worker if the task is running. */
  #cut(asked?: Asked, answer?: TaskAnswer): void {
    if (asked) {
      const at = this.#asked.indexOf(asked)
      if (at < 0) return
      this.#asked.splice(at, 1)
      if (answer) asked.answer(answer)
    }
    if (!this.#worker) return
    this.#end()
    if (this.#asked.length > 0) this.start()
  }

  #end(): void {
    clearTimeout(this.#timer)
    this.#starting?.then(
      worker => worker.terminate(),
      () => {},
    )
    this.#starting = this.#worker = undefined
  }
}

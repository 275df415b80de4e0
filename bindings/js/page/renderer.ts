// A model's template at work, as seen from the caller's thread: in a worker of its own, started at the first chat. A task that must not
// go on ends with its worker, and the next task starts another; the engine's worker, and with it the model, stays.
import type { TaskAnswer, TemplateTask } from '../chat/tasks.js'
import type { Endpoint } from '../platform/platform.js'
import { HeedError } from '../wire/errors.js'
import { Line } from '../wire/line.js'
import { leavesOnAbort, onAbort } from './on-abort.js'
import { refuse } from './readers.js'

/** Budgets end templates sooner (chat/jinja/budget.ts); this ends what they overlook. */
const patienceMs = 30_000

const stopped = (why: string): TaskAnswer => {
  const reason = `the template ${why}: it was stopped`
  return { failure: { code: 'template', message: reason, kind: 'SecurityError', reason } }
}

/** A started worker, for one task at a time. */
class TemplateWorker {
  readonly #endpoint: Endpoint<unknown, unknown>
  #answer?: (answer: TaskAnswer) => void

  constructor(endpoint: Endpoint<unknown, unknown>, onFail: () => void) {
    this.#endpoint = endpoint
    endpoint.listen(answer => this.#answer?.(answer as TaskAnswer), ({ message }) => {
      onFail()
      this.end()
      this.#answer?.(stopped(`ended its thread (${message})`))
    })
    endpoint.setBusy(false)  // afterwards: in Node, a listener keeps the process alive
  }

  /** Throws `invalid-argument` if something in the task cannot be sent. */
  async ask(task: TemplateTask): Promise<TaskAnswer> {
    this.#endpoint.setBusy(true)
    try {
      this.#endpoint.post(task)
      return await new Promise(resolve => { this.#answer = resolve })
    } catch (error) {
      throw refuse(`chat: ${(error as Error).message}`, error)
    } finally {
      this.#endpoint.setBusy(false)
    }
  }

  end(): void {
    void this.#endpoint.terminate()
  }
}

export class Renderer {
  readonly #startWorker: () => Promise<Endpoint<unknown, unknown>>
  readonly #gone: AbortSignal
  /** Tasks run one at a time, so that what ends one ends no other. */
  readonly #tasks = new Line()
  #worker?: Promise<TemplateWorker>

  /** There is no worker once `gone` is aborted, with an error as its reason. */
  constructor(startWorker: () => Promise<Endpoint<unknown, unknown>>, gone: AbortSignal) {
    this.#startWorker = startWorker
    this.#gone = gone
    onAbort(gone, () => this.#end())
  }

  /** The worker, which is started if there is none. Throws `network` or `unsupported`, and why it is gone. */
  async start(): Promise<TemplateWorker> {
    if (this.#gone.aborted) throw this.#gone.reason
    const forget = () => { if (this.#worker === worker) this.#worker = undefined }
    const worker = this.#worker ??= this.#startWorker().then(endpoint => new TemplateWorker(endpoint, forget), error => {
      forget()
      throw error
    })
    return worker
  }

  /** The answer to a task, which may be a failure of the template. Throws `aborted`, at once, and the errors of `start`. */
  run(task: TemplateTask, signal: AbortSignal): Promise<TaskAnswer> {
    return this.#tasks.run(() => this.#run(task, signal), leavesOnAbort(signal))
  }

  #run(task: TemplateTask, signal: AbortSignal): Promise<TaskAnswer> {
    let settled = () => {}
    let timer: ReturnType<typeof setTimeout> | undefined
    return new Promise<TaskAnswer>((resolve, reject) => {
      settled = onAbort(signal, () => {
        this.#end()
        reject(HeedError.aborted(signal))
      })
      const ask = async () => {
        const worker = await this.start()
        if (signal.aborted) throw HeedError.aborted(signal)
        timer = setTimeout(() => {
          this.#end()
          resolve(stopped('takes too long'))
        }, patienceMs)
        return worker.ask(task)
      }
      ask().then(resolve, reject)
    }).finally(() => {
      settled()
      clearTimeout(timer)
    })
  }

  #end(): void {
    this.#worker?.then(worker => worker.end(), () => {})
    this.#worker = undefined
  }
}

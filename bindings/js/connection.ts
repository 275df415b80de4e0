// The page's end of the line to one engine worker: calls wait their turn, and all fail where it breaks.
import { HeedError } from './errors.js'
import type { Endpoint } from './platform/platform.js'
import type { Call, FromEngine, Results } from './protocol.js'

type CallEvent = Exclude<FromEngine, { type: 'done' | 'failed' }>

interface CallOptions {
  signal?: AbortSignal
  onEvent?: (event: CallEvent) => void
}

interface Pending {
  call: Call
  onEvent?: (event: CallEvent) => void
  resolve(result: unknown): void
  reject(error: HeedError): void
}

export class Connection {
  readonly #endpoint: Endpoint
  readonly #waiting: Pending[] = []
  #running?: Pending
  #closed?: HeedError
  /** Where memory is shared: the byte that the engine reads between layers. */
  #cancelFlag?: Uint8Array

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
    endpoint.setBusy(false)
    endpoint.listen(message => this.#receive(message), error => this.close(error))
  }

  shareCancelFlag(flag?: Uint8Array): void {
    this.#cancelFlag = flag
  }

  /**
   * Runs a call after those before it. An abort while it waits rejects at once; later, the engine says how it
   * ended.
   */
  call<Type extends keyof Results>(
    call: Extract<Call, { type: Type }>, { signal, onEvent }: CallOptions = {},
  ): Promise<Results[Type]> {
    return new Promise<Results[Type]>((resolve, reject) => {
      if (this.#closed) return reject(this.#closed)
      if (signal?.aborted) return reject(HeedError.aborted(signal))
      const abort = () => this.#abort(pending, signal!)
      const settled = () => signal?.removeEventListener('abort', abort)
      const pending: Pending = {
        call,
        onEvent,
        resolve: result => { settled(); resolve(result as Results[Type]) },
        reject: error => { settled(); reject(error) },
      }
      signal?.addEventListener('abort', abort)
      this.#waiting.push(pending)
      this.#next()
    })
  }

  /** For what a call needs while it runs. */
  post(...message: Parameters<Endpoint['post']>): void {
    if (!this.#closed) this.#endpoint.post(...message)
  }

  /** Ends the worker; every call, those under way too, rejects with `reason`. Only the first time counts. */
  close(reason: HeedError): void {
    if (this.#closed) return
    this.#closed = reason
    this.#endpoint.terminate()
    const outstanding = [this.#running, ...this.#waiting.splice(0)]
    this.#running = undefined
    for (const pending of outstanding) pending?.reject(reason)
  }

  #next(): void {
    if (this.#running || this.#closed) return
    this.#running = this.#waiting.shift()
    this.#endpoint.setBusy(this.#running !== undefined)
    if (this.#running) this.#endpoint.post(this.#running.call)
  }

  #abort(pending: Pending, signal: AbortSignal): void {
    if (pending === this.#running) {
      if (this.#cancelFlag) Atomics.store(this.#cancelFlag, 0, 1)
      this.#endpoint.post({ type: 'abort' })
    } else {
      this.#waiting.splice(this.#waiting.indexOf(pending), 1)
      pending.reject(HeedError.aborted(signal))
    }
  }

  #receive(message: FromEngine): void {
    const running = this.#running
    if (!running) return
    if (message.type !== 'done' && message.type !== 'failed') return running.onEvent?.(message)
    if (message.type === 'failed' && message.code === 'crashed') {
      return this.close(new HeedError('crashed', message.message))
    }
    this.#running = undefined
    if (message.type === 'done') running.resolve(message.result)
    else running.reject(new HeedError(message.code, message.message))
    this.#next()
  }
}

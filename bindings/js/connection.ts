// The page's end of the line to one engine worker: calls wait their turn, and all fail where it breaks.
import { HeedError } from './errors.js'
import type { Endpoint } from './platform/platform.js'
import type { Call, FromEngine, Results } from './protocol.js'

type CallEvent = Exclude<FromEngine, { type: 'done' | 'failed' }>

interface CallOptions {
  signal?: AbortSignal
  /** Whether what came before an abort still counts: then the call resolves, and otherwise it rejects with `aborted`. */
  keepsResult?: boolean
  onEvent?: (event: CallEvent) => void
}

interface Pending {
  call: Call
  lease?: object
  /** Set once it was aborted, and its result is not wanted. */
  reason?: HeedError
  onEvent?: (event: CallEvent) => void
  resolve(result: unknown): void
  reject(error: HeedError): void
}

/** The right to an engine: once nobody holds it, and no call that is under way does, the engine ends. */
export interface EngineLease {
  readonly connection: Connection
}

const abandoned = new FinalizationRegistry<Connection>(connection => {
  connection.close(new HeedError('disposed', 'The model was dropped'))
})

export function leaseEngine(endpoint: Endpoint): EngineLease {
  const lease: { connection?: Connection } = {}
  lease.connection = new Connection(endpoint, lease)
  abandoned.register(lease, lease.connection)
  return lease as EngineLease
}

export class Connection {
  readonly #endpoint: Endpoint
  readonly #waiting: Pending[] = []
  #running?: Pending
  #closed?: HeedError
  /** Where memory is shared: the byte that the engine reads between layers. */
  #cancelFlag?: Uint8Array
  readonly #lease: WeakRef<object>

  /** Calls hold the lease while they are under way. */
  constructor(endpoint: Endpoint, lease: object) {
    this.#lease = new WeakRef(lease)
    this.#endpoint = endpoint
    endpoint.setBusy(false)
    endpoint.listen(message => this.#receive(message), error => { this.close(error) })
  }

  shareCancelFlag(flag?: Uint8Array): void {
    this.#cancelFlag = flag
  }

  /**
   * Runs a call after those before it. An abort while it waits rejects at once; later, the engine says how it
   * ended.
   */
  call<Type extends keyof Results>(
    call: Extract<Call, { type: Type }>, { signal, keepsResult = false, onEvent }: CallOptions = {},
  ): Promise<Results[Type]> {
    return new Promise<Results[Type]>((resolve, reject) => {
      if (this.#closed) return reject(this.#closed)
      if (signal?.aborted) return reject(HeedError.aborted(signal))
      const abort = () => this.#abort(pending, HeedError.aborted(signal), keepsResult)
      const settled = () => signal?.removeEventListener('abort', abort)
      const pending: Pending = {
        call,
        lease: this.#lease.deref(),
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

  /**
   * Ends the worker; every call, those under way too, rejects with `reason`. Only the first time counts. Resolves once the
   * worker has ended, where that can be known.
   */
  close(reason: HeedError): void | Promise<void> {
    if (this.#closed) return
    this.#closed = reason
    const outstanding = [this.#running, ...this.#waiting.splice(0)]
    this.#running = undefined
    for (const pending of outstanding) pending?.reject(reason)
    return this.#endpoint.terminate()
  }

  #next(): void {
    if (this.#running || this.#closed) return
    for (let next; (next = this.#waiting.shift());) {
      // Lowered before the call is posted, and not by the worker, which might undo an abort of this very call.
      if (this.#cancelFlag) Atomics.store(this.#cancelFlag, 0, 0)
      try {
        this.#endpoint.post(next.call)
      } catch (error) {  // something in it cannot be copied
        next.reject(new HeedError('invalid-argument', `${next.call.type}: ${(error as Error).message}`, { cause: error }))
        continue
      }
      this.#running = next
      break
    }
    this.#endpoint.setBusy(this.#running !== undefined)
  }

  #abort(pending: Pending, reason: HeedError, keepsResult: boolean): void {
    if (pending === this.#running) {
      if (!keepsResult) pending.reason = reason
      // Not both: a message might come when the next call has begun.
      if (this.#cancelFlag) Atomics.store(this.#cancelFlag, 0, 1)
      else this.#endpoint.post({ type: 'abort' })
    } else {
      this.#waiting.splice(this.#waiting.indexOf(pending), 1)
      pending.reject(reason)
    }
  }

  #receive(message: FromEngine): void {
    const running = this.#running
    if (!running) return
    if (message.type !== 'done' && message.type !== 'failed') return running.onEvent?.(message)
    if (message.type === 'failed' && message.code === 'crashed') {
      this.close(new HeedError('crashed', message.message))
      return
    }
    this.#running = undefined
    if (running.reason) running.reject(running.reason)
    else if (message.type === 'done') running.resolve(message.result)
    else running.reject(new HeedError(message.code, message.message))
    this.#next()
  }
}

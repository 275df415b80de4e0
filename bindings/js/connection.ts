// The page's end of the line to one engine worker: what becomes of each call; all fail where it breaks.
import { HeedError } from './errors.js'
import { Line } from './line.js'
import type { Endpoint } from './platform/platform.js'
import type { Call, CallEvent, FromEngine, Results } from './protocol.js'

type Progress = Exclude<CallEvent, { type: 'done' | 'failed' }>

interface CallOptions {
  signal?: AbortSignal
  /** Whether what came before an abort still counts: then the engine says how the call ended; otherwise it rejects at once. */
  keepsResult?: boolean
  onEvent?: (event: Progress) => void
}

interface Pending {
  /** Held while the call is under way. */
  lease?: object
  onEvent?: (event: Progress) => void
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
  readonly #lease: WeakRef<object>
  readonly #calls = new Map<number, Pending>()
  #lastCall = 0
  #lastSession = 0
  #closed?: HeedError
  /** Where calls run one after the other. */
  #line?: Line
  /** Where memory is shared: a byte that makes the engine look for messages. */
  #interruptFlag?: Uint8Array

  /** Calls hold the lease while they are under way. */
  constructor(endpoint: Endpoint, lease: object) {
    this.#lease = new WeakRef(lease)
    this.#endpoint = endpoint
    endpoint.setBusy(false)
    endpoint.listen(message => this.#receive(message), error => { this.close(error) })
  }

  /** To be called once the engine is loaded. */
  ready({ interruptFlag, inOrder }: { interruptFlag?: Uint8Array, inOrder: boolean }): void {
    this.#interruptFlag = interruptFlag
    if (inOrder) this.#line = new Line()
  }

  /** A number for a session that the engine is to open. */
  newSession(): number {
    return ++this.#lastSession
  }

  call<Type extends keyof Results>(
    call: Extract<Call, { type: Type }>, options: CallOptions = {},
  ): Promise<Results[Type]> {
    if (this.#closed) return Promise.reject(this.#closed)
    const run = () => this.#run(call, options)
    const running = this.#line ? this.#line.run(run, options.signal) : run()
    return options.keepsResult ? running : unlessAborted(running, options.signal)
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
    for (const pending of this.#calls.values()) pending.reject(reason)
    this.#calls.clear()
    this.#interruptFlag = undefined  // with it goes what the page holds of the engine's memory, which may be gigabytes
    void this.#line?.close(reason)
    return this.#endpoint.terminate()
  }

  /** Settles when the engine has ended the call, also one that was aborted. */
  #run<Type extends keyof Results>(
    call: Extract<Call, { type: Type }>, { signal, onEvent }: CallOptions,
  ): Promise<Results[Type]> {
    return new Promise<Results[Type]>((resolve, reject) => {
      if (this.#closed) return reject(this.#closed)
      if (signal?.aborted) return reject(HeedError.aborted(signal))
      const id = ++this.#lastCall
      try {
        this.#endpoint.post({ ...call, id })
      } catch (error) {  // something in it cannot be copied
        return reject(new HeedError('invalid-argument', `${call.type}: ${(error as Error).message}`, { cause: error }))
      }
      const abort = () => this.#abort(id)
      const settled = () => signal?.removeEventListener('abort', abort)
      signal?.addEventListener('abort', abort)
      this.#calls.set(id, {
        lease: this.#lease.deref(),
        onEvent,
        resolve: result => { settled(); resolve(result as Results[Type]) },
        reject: error => { settled(); reject(error) },
      })
      this.#endpoint.setBusy(true)
    })
  }

  /** The message says which call; the flag only makes the engine read it soon. */
  #abort(id: number): void {
    this.#endpoint.post({ type: 'abort', id })
    if (this.#interruptFlag) Atomics.store(this.#interruptFlag, 0, 1)
  }

  #receive({ id, ...event }: FromEngine): void {
    const pending = this.#calls.get(id)
    if (!pending) return
    if (event.type !== 'done' && event.type !== 'failed') return pending.onEvent?.(event)
    if (event.type === 'failed' && event.code === 'crashed') {
      this.close(new HeedError('crashed', event.message))
      return
    }
    this.#calls.delete(id)
    this.#endpoint.setBusy(this.#calls.size > 0)
    if (event.type === 'done') pending.resolve(event.result)
    else pending.reject(new HeedError(event.code, event.message))
  }
}

/** What `running` gives, but at once a rejection where it is aborted. */
function unlessAborted<Result>(running: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  if (!signal) return running
  return new Promise((resolve, reject) => {
    const abort = () => reject(HeedError.aborted(signal))
    signal.addEventListener('abort', abort)
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

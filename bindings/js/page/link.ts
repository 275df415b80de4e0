// The pending calls to an engine worker. All of them fail if the worker fails.
import type { Endpoint } from '../platform/platform.js'
import { HeedError, refuse } from '../wire/errors.js'
import { Line } from '../wire/line.js'
import { withCaller } from './called-from.js'
import { keepCompiled } from './compiled-modules.js'
import { leavesOnAbort, onAbort, unlessAborted } from './on-abort.js'
import type { Call, CallEvent, FromEngine, Results } from '../wire/protocol.js'

type Progress = Exclude<CallEvent, { type: 'done' | 'failed' }>

export interface CallOptions {
  signal?: AbortSignal
  /** Whether to wait for the engine's partial result after an abort. By default, an aborted call rejects at once. */
  keepsResult?: boolean
  onEvent?: (event: Progress) => void
}

interface Pending {
  /** Kept from garbage collection while the call is pending. */
  caller: object
  onEvent?: (event: Progress) => void
  /** Set once an abort has rejected the caller's promise: events are no longer reported, but pulls are still answered. */
  isLeft?: boolean
  /** The error that `onEvent` threw: the call rejects with it once the engine has ended the call. */
  failure?: HeedError
  resolve(result: unknown): void
  reject(error: HeedError): void
}

/**
 * May reference the Connection only in pending calls: the worker references this Link, and ends once the Connection is
 * garbage-collected.
 */
export class Link {
  readonly #endpoint: Endpoint
  readonly #calls = new Map<number, Pending>()
  #lastCall = 0
  #closed?: HeedError
  readonly #gone = new AbortController()
  /** The queue of calls; set if calls run one at a time. */
  #line?: Line
  /** Set if memory is shared: a byte that makes the engine check for messages. */
  #interruptFlag?: Uint8Array
  #hasModel = false

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
    endpoint.setBusy(false)
    endpoint.listen(
      message => this.#receive(message),
      error => {
        this.close(error)
      },
    )
  }

  /** Must be called once the engine has loaded. */
  ready({ interruptFlag, inOrder }: { interruptFlag?: Uint8Array; inOrder: boolean }): void {
    this.#interruptFlag = interruptFlag
    this.#hasModel = true
    if (inOrder) this.#line = new Line()
  }

  get runsIn(): Endpoint['runsIn'] {
    return this.#endpoint.runsIn
  }

  /** Aborted when the connection is closed, with the reason for closing it. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  call<Type extends keyof Results>(
    call: Extract<Call, { type: Type }>,
    options: CallOptions,
    caller: object,
  ): Promise<Results[Type]> {
    if (this.#closed) return withCaller(Promise.reject(this.#closed))
    const run = () => this.#run(call, options, caller)
    const running = this.#line ? this.#line.run(run, leavesOnAbort(options.signal)) : run()
    return withCaller(options.keepsResult ? running : unlessAborted(running, options.signal))
  }

  /** Sends a message that is not a call. */
  post(...message: Parameters<Endpoint['post']>): void {
    if (!this.#closed) this.#endpoint.post(...message)
  }

  /**
   * Terminates the worker; all calls, including pending ones, reject with `reason`. Only the first call has an effect. Resolves
   * once the worker has ended, if the platform reports that.
   */
  close(reason: HeedError): void | Promise<void> {
    if (this.#closed) return
    this.#closed = reason
    for (const pending of this.#calls.values()) pending.reject(reason)
    this.#calls.clear()
    if (this.#interruptFlag) Atomics.store(this.#interruptFlag, 0, 1) // a running pass would delay the end
    void this.#line?.close(reason)
    this.#gone.abort(reason)
    return this.#endpoint.terminate(this.#hasModel)
  }

  /** Settles when the engine has ended the call, even if it was aborted. */
  #run<Type extends keyof Results>(
    call: Extract<Call, { type: Type }>,
    { signal, keepsResult, onEvent }: CallOptions,
    caller: object,
  ): Promise<Results[Type]> {
    return new Promise<Results[Type]>((resolve, reject) => {
      if (this.#closed) return reject(this.#closed)
      if (signal?.aborted) return reject(HeedError.aborted(signal))
      const id = ++this.#lastCall
      try {
        this.#endpoint.post({ ...call, id })
      } catch (error) {
        // something in the call cannot be cloned
        return reject(refuse(`${call.type}: ${(error as Error).message}`, error))
      }
      const settled = onAbort(signal, () => {
        pending.isLeft = !keepsResult
        this.#abort(id)
      })
      const pending: Pending = {
        caller,
        onEvent,
        resolve: result => {
          settled()
          resolve(result as Results[Type])
        },
        reject: error => {
          settled()
          reject(error)
        },
      }
      this.#calls.set(id, pending)
      this.#endpoint.setBusy(true)
    })
  }

  /** The message names the call; the flag only makes the engine read it sooner. */
  #abort(id: number): void {
    this.#endpoint.post({ type: 'abort', id })
    if (this.#interruptFlag) Atomics.store(this.#interruptFlag, 0, 1)
  }

  #receive(message: FromEngine): void {
    if (message.type === 'compiled') return keepCompiled(message)
    const { id, ...event } = message
    if (event.type === 'failed' && event.code === 'crashed') {
      this.close(new HeedError('crashed', event.message))
      return
    }
    const pending = this.#calls.get(id)
    if (!pending) return
    if (event.type !== 'done' && event.type !== 'failed') return this.#report(id, pending, event)
    this.#calls.delete(id)
    this.#endpoint.setBusy(this.#calls.size > 0)
    if (pending.failure) pending.reject(pending.failure)
    else if (event.type === 'done') pending.resolve(event.result)
    else pending.reject(new HeedError(event.code, event.message, event))
  }

  #report(id: number, pending: Pending, event: Progress): void {
    if (pending.failure || (pending.isLeft && event.type !== 'pull')) return
    try {
      pending.onEvent?.(event)
    } catch (error) {
      pending.failure = refuse(`onProgress failed: ${(error as Error)?.message}`, error)
      this.#abort(id)
    }
  }
}

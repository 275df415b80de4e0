// The page's end of the connection to an engine worker. It tracks the calls; all of them fail if the worker fails.
import type { DecodeImage, Endpoint } from '../platform/platform.js'
import { HeedError, refuse } from '../wire/errors.js'
import { Line } from '../wire/line.js'
import { withCaller } from './called-from.js'
import { keepCompiled } from './compiled-modules.js'
import type { WireDictionary } from '../wire/changes.js'
import { leavesOnAbort, onAbort, unlessAborted } from './on-abort.js'
import { Renderer, type TemplateWorker } from './renderer.js'
import type { Call, CallEvent, FromEngine, Results } from '../wire/protocol.js'

type Progress = Exclude<CallEvent, { type: 'done' | 'failed' }>

export interface CallOptions {
  signal?: AbortSignal
  /** Whether to wait for the engine's partial result after an abort. By default, an aborted call rejects at once. */
  keepsResult?: boolean
  onEvent?: (event: Progress) => void
}

/** The dictionaries in edits. */
interface DictionaryEdits {
  feature: readonly [WireDictionary, number]
  splice: WireDictionary
}

interface Pending {
  /** Keeps the engine alive while the call is pending. */
  lease?: object
  onEvent?: (event: Progress) => void
  /** The error of the call once the engine has ended it, because `onEvent` threw. */
  failure?: HeedError
  resolve(result: unknown): void
  reject(error: HeedError): void
}

/** Keeps an engine alive. Once nothing holds the lease, neither an owner nor a pending call, the engine is terminated. */
export interface EngineLease {
  readonly connection: Connection
  /** Runs the model's template. */
  readonly renderer: Renderer
  readonly decodeImage: DecodeImage
}

const abandoned = new FinalizationRegistry<Connection>(connection => {
  connection.close(new HeedError('disposed', 'The model was dropped'))
})

export function leaseEngine(
  endpoint: Endpoint,
  decodeImage: DecodeImage,
  startTemplates: () => Promise<Endpoint<unknown, unknown>>,
): EngineLease {
  const lease: { connection?: Connection; renderer?: Renderer; decodeImage: DecodeImage } = { decodeImage }
  const connection = new Connection(endpoint, lease)
  lease.connection = connection
  lease.renderer = new Renderer(async () => {
    const templates = (await startTemplates()) as TemplateWorker
    const { port1, port2 } = new MessageChannel()
    connection.post({ type: 'templates', port: port1 }, [port1])
    templates.post({ engine: port2 }, [port2])
    return templates
  }, connection.gone)
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
  readonly #gone = new AbortController()
  /** Set if calls run one at a time. */
  #line?: Line
  /** Set if memory is shared: a byte that makes the engine check for messages. */
  #interruptFlag?: Uint8Array
  #hasModel = false

  /** Pending calls hold `lease`. */
  constructor(endpoint: Endpoint, lease: object) {
    this.#lease = new WeakRef(lease)
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

  /** Aborted when the connection is closed, for that reason. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  /** A number for a new session. */
  newSession(): number {
    return ++this.#lastSession
  }

  call<Type extends keyof Results>(call: Extract<Call, { type: Type }>, options: CallOptions = {}): Promise<Results[Type]> {
    if (this.#closed) return withCaller(Promise.reject(this.#closed))
    const { edits } = ('options' in call ? call.options : call) as { edits?: Partial<DictionaryEdits>[] }
    const dictionary = edits?.map(({ feature, splice }) => feature?.[0] ?? splice).find(Boolean)
    if (dictionary) return withCaller(dictionary.run(this, call, options) as Promise<Results[Type]>)
    const run = () => this.#run(call, options)
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
    this.#interruptFlag = undefined // releases the page's view of the engine's memory, which may be gigabytes
    void this.#line?.close(reason)
    this.#gone.abort(reason)
    return this.#endpoint.terminate(this.#hasModel)
  }

  /** Settles when the engine has ended the call, even if it was aborted. */
  #run<Type extends keyof Results>(call: Extract<Call, { type: Type }>, { signal, onEvent }: CallOptions): Promise<Results[Type]> {
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
      const settled = onAbort(signal, () => this.#abort(id))
      this.#calls.set(id, {
        lease: this.#lease.deref(),
        onEvent,
        resolve: result => {
          settled()
          resolve(result as Results[Type])
        },
        reject: error => {
          settled()
          reject(error)
        },
      })
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
    if (pending.failure) return
    try {
      pending.onEvent?.(event)
    } catch (error) {
      pending.failure = refuse(`onProgress failed: ${(error as Error)?.message}`, error)
      this.#abort(id)
    }
  }
}

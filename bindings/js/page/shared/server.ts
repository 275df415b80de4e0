// The tab that serves: one engine for several tabs. Each tab numbers its calls and sessions for itself, and names its adapters.
import type { Endpoint } from '../../platform/platform.js'
import type { HeedError } from '../../wire/errors.js'
import type { Call, CallEvent, FromEngine, Results, ToEngine } from '../../wire/protocol.js'
import { type FileRead, fileOf, type Numbered, readsFile } from './messages.js'
import { Turns } from './turns.js'

interface Tab {
  send(message: FromEngine): void
  /** The sessions of this tab: from the tab's number of a session to the engine's. */
  readonly sessions: Map<number, number>
  /** The engine's names of this tab's adapters. */
  readonly adapters: Set<string>
}

/** A call that runs or waits: the tab that made it, and that tab's number for it. */
interface Running {
  tab: string
  id: number
  call: Numbered
}

/** Calls that need no pass of the model are not queued. */
const writes = new Set<Call['type']>(['generate'])
const reads = new Set<Call['type']>([
  'logits',
  'attention',
  'trace',
  'hidden',
  'lens',
  'score',
  'attribute',
  'embed',
  'rerank',
  'embedImages',
  'classify',
  'imageAttention',
])

/** Separates the tab and its name for an adapter in the engine's name; no text has this character. */
const mark = '\u{f8ff}'

export class Server {
  readonly #engine: Endpoint
  readonly #tabs = new Map<string, Tab>()
  readonly #running = new Map<number, Running>()
  #lastCall = 0
  #lastSession = 0
  /** The results of calls that are made once for all tabs, and the other tabs' calls that wait for them. */
  readonly #once = new Map<string, { result?: Results['load'] | undefined; hasEnded: boolean; waiting: Omit<Running, 'call'>[] }>()
  #interruptFlag?: Uint8Array
  #parallel = 1
  readonly #writing = new Turns(() => this.#parallel)
  readonly #reading = new Turns(() => 1)
  readonly #onFailure: (error: HeedError) => void

  /** `onFailure` is called if the engine ends by itself. */
  constructor(engine: Endpoint, onFailure: (error: HeedError) => void) {
    this.#engine = engine
    this.#onFailure = onFailure
    engine.listen(message => this.#receive(message), onFailure)
  }

  add(tab: string, send: (message: FromEngine) => void): void {
    this.#tabs.set(tab, { send, sessions: new Map(), adapters: new Set() })
  }

  /** Ends the calls of a tab, and frees its sessions and adapters. */
  drop(tab: string): void {
    const { sessions, adapters } = this.#tabs.get(tab) ?? {}
    if (!sessions || !adapters) return
    this.#tabs.delete(tab)
    for (const [global, running] of this.#running) if (running.tab === tab) this.#abort(global)
    for (const session of sessions.values()) this.#engine.post({ type: 'closeSession', session, id: ++this.#lastCall })
    for (const name of adapters) this.#engine.post({ type: 'unloadAdapter', name, id: ++this.#lastCall })
  }

  close(): void | Promise<void> {
    if (this.#interruptFlag) Atomics.store(this.#interruptFlag, 0, 1)
    return this.#engine.terminate(true)
  }

  receive(tab: string, message: ToEngine, transfer?: ArrayBuffer[]): void {
    switch (message.type) {
      case 'chunk':
        return this.#engine.post(message, transfer)
      case 'templates':
        return
      case 'abort': {
        for (const [global, running] of this.#running) if (running.tab === tab && running.id === message.id) this.#abort(global)
        return
      }
      case 'load':
      case 'loadBeside':
        return this.#loadOnce(tab, message)
      default:
        this.#call(tab, message)
    }
  }

  /** The first tab loads; the others get the same result. */
  #loadOnce(tab: string, call: FileRead): void {
    const there = this.#once.get(fileOf(call))
    const one = { tab, id: call.id }
    if (there?.hasEnded) return this.#answer(one, { type: 'done', result: there.result })
    if (there) return void there.waiting.push(one)
    this.#once.set(fileOf(call), { hasEnded: false, waiting: [] })
    this.#start(tab, call, call)
  }

  #call(tab: string, call: Numbered): void {
    const known = this.#tabs.get(tab)
    if (!known) return
    const translated = this.#translated(tab, known, call)
    if (!translated) return this.#answer({ tab, id: call.id }, gone)
    const turns = this.#turnsOf(call)
    if (!turns) return void this.#start(tab, call, translated)
    const global = ++this.#lastCall
    this.#running.set(global, { tab, id: call.id, call })
    turns.add(tab, global, () => this.#engine.post({ ...translated, id: global }))
  }

  #start(tab: string, call: Numbered, translated: Call): void {
    const global = ++this.#lastCall
    this.#running.set(global, { tab, id: call.id, call })
    this.#engine.post({ ...translated, id: global })
  }

  #turnsOf({ type }: Call): Turns | undefined {
    return writes.has(type) ? this.#writing : reads.has(type) ? this.#reading : undefined
  }

  /** The call with the engine's numbers of sessions and names of adapters; undefined if a session is not there. */
  #translated(tab: string, { sessions, adapters }: Tab, given: Numbered): Call | undefined {
    const call = { ...given } as Record<string, unknown>
    const name = (own: string) => `${tab}${mark}${own}`
    if (given.type === 'openSession' || given.type === 'forkSession' || given.type === 'restoreSession') {
      sessions.set(given.session, ++this.#lastSession)
    }
    for (const field of ['session', 'from']) {
      if (typeof call[field] !== 'number') continue
      const session = sessions.get(call[field])
      if (session === undefined) return undefined
      call[field] = session
    }
    if (given.type === 'closeSession') sessions.delete(given.session)
    if (given.type === 'loadAdapter' || given.type === 'unloadAdapter') {
      call.name = name(given.name)
      adapters[given.type === 'loadAdapter' ? 'add' : 'delete'](name(given.name))
    }
    const changes = (given.type === 'generate' ? given.options : given) as { adapters?: [string, number][] }
    if (changes.adapters) {
      const adapters = changes.adapters.map(([own, scale]) => [name(own), scale])
      if (given.type === 'generate') call.options = { ...given.options, adapters }
      else call.adapters = adapters
    }
    return call as Call
  }

  #abort(global: number): void {
    const running = this.#running.get(global)!
    if (this.#turnsOf(running.call)?.cancel(global)) {
      this.#running.delete(global)
      return this.#answer(running, { type: 'failed', code: 'aborted', message: 'The call was aborted' })
    }
    this.#engine.post({ type: 'abort', id: global })
    if (this.#interruptFlag) Atomics.store(this.#interruptFlag, 0, 1)
  }

  #receive(message: FromEngine): void {
    if (message.type === 'compiled') return
    const { id: global, ...event } = message
    if (event.type === 'failed' && event.code === 'crashed') {
      for (const { send } of this.#tabs.values()) send({ ...event, id: 0 })
      return this.#onFailure(event as unknown as HeedError)
    }
    const running = this.#running.get(global)
    if (!running) return
    if (event.type === 'done' || event.type === 'failed') {
      this.#running.delete(global)
      this.#turnsOf(running.call)?.ended(global)
      if (readsFile(running.call)) return this.#loaded({ ...running, call: running.call }, event)
    }
    this.#answer(running, event)
    const { call } = running
    if (event.type === 'progress' && readsFile(call))
      for (const one of this.#once.get(fileOf(call))?.waiting ?? []) this.#answer(one, event)
  }

  #loaded(running: Running & { call: FileRead }, event: Extract<CallEvent, { type: 'done' | 'failed' }>): void {
    const file = fileOf(running.call)
    const once = this.#once.get(file)!
    let shown: CallEvent = event
    if (event.type === 'done') {
      if (running.call.type === 'load') {
        const { interruptFlag, ...result } = event.result as Results['load']
        this.#interruptFlag = interruptFlag
        this.#parallel = result.info.parallel
        once.result = result
        shown = { type: 'done', result }
      }
      once.hasEnded = true
    } else this.#once.delete(file)
    for (const one of [running, ...once.waiting]) this.#answer(one, shown)
  }

  #answer({ tab, id }: Pick<Running, 'tab' | 'id'>, event: CallEvent): void {
    const own = (text: string) => text.replaceAll(`${tab}${mark}`, '')
    this.#tabs.get(tab)?.send({ ...event, ...(event.type === 'failed' && { message: own(event.message) }), id } as FromEngine)
  }
}

const gone: CallEvent = { type: 'failed', code: 'disposed', message: 'The session was disposed of' }

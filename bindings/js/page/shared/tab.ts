// A tab's end of a shared model: an Endpoint like that of an engine's worker. The engine is in this tab or in another; when the tab
// that runs it closes, pending calls are made again in the next engine, which gives the same answers, bit for bit. Progress that a
// caller has seen is not reported again.
import type { Endpoint } from '../../platform/platform.js'
import { HeedError } from '../../wire/errors.js'
import type { Call, CallEvent, FromEngine, Results, ToEngine } from '../../wire/protocol.js'
import type { TokenizeRequest } from '../../wire/text.js'
import { type Numbered, readsFile } from './messages.js'

/** The connection to the engine, while there is one. */
export interface Link {
  readonly runsIn: 'this-tab' | 'another-tab'
  post(message: ToEngine, transfer?: ArrayBuffer[]): void
}

interface Pending {
  call: Numbered
  progress: Progress
  /** Whether the call has taken parts of a file from its caller; these cannot be taken again. */
  hasPulled: boolean
  /** Called with the event that ends the call; set for calls that this class itself makes. */
  answer?(event: CallEvent): void
  /** Whether the call prepares an engine; the next engine is then prepared by a call of its own. */
  prepares?: boolean
}

const moved = (what: string) =>
  ({ type: 'failed', code: 'moved', message: `The tab that ran the model was closed: ${what}` }) as const

/** The progress of a call that its caller has seen, and that another engine repeats. */
class Progress {
  #tokens = 0
  #again = 0
  #most = 0
  #hasImages = false

  beginAgain(): void {
    this.#again = 0
  }

  isNew(event: CallEvent): boolean {
    switch (event.type) {
      case 'token': {
        const isNew = ++this.#again > this.#tokens
        if (isNew) this.#tokens++
        return isNew
      }
      case 'images': {
        const isNew = !this.#hasImages
        this.#hasImages = true
        return isNew
      }
      case 'read':
      case 'embedded': {
        const done = event.type === 'read' ? event.done : event.count
        const isNew = done > this.#most
        this.#most = Math.max(done, this.#most)
        return isNew
      }
      default:
        return true
    }
  }
}

export class Tab implements Endpoint {
  readonly #pending = new Map<number, Pending>()
  /** The tokens of each session as far as they are known; undefined if they cannot be read again. */
  readonly #sessions = new Map<number, readonly number[] | undefined>()
  /** The calls that have loaded the model's files. */
  readonly #files: Numbered[] = []
  /** Calls that have loaded the adapters, by their names. */
  readonly #adapters = new Map<string, Extract<Numbered, { type: 'loadAdapter' }>>()
  readonly #leave: () => void | Promise<void>
  #link?: Link
  /** Whether calls may be posted: the engine has the files, adapters and sessions again. */
  #isReady = false
  #lastOwn = 0
  readonly #loading = new Map<number, () => void>()
  #onMessage: (message: FromEngine) => void = () => {}
  #onError: (error: HeedError) => void = () => {}

  /** `leave` is called when the model is disposed of. */
  constructor(leave: () => void | Promise<void>) {
    this.#leave = leave
  }

  listen(onMessage: (message: FromEngine) => void, onError: (error: HeedError) => void): void {
    this.#onMessage = onMessage
    this.#onError = onError
  }

  setBusy(): void {}

  get runsIn(): Link['runsIn'] | undefined {
    return this.#link?.runsIn
  }

  terminate(): void | Promise<void> {
    this.#link = undefined
    return this.#leave()
  }

  fail(error: HeedError): void {
    this.#onError(error)
  }

  post(message: ToEngine, transfer?: (ArrayBuffer | MessagePort)[]): void {
    if (message.type === 'templates') return this.#serveTemplates(message.port)
    if (message.type === 'chunk') return void this.#link?.post(message, transfer as ArrayBuffer[])
    if (message.type === 'abort') return this.#abort(message.id)
    if (readsFile(message)) this.#files.push(message)
    this.#pending.set(message.id, { call: message, progress: new Progress(), hasPulled: false })
    if (this.#isReady) this.#send(message)
  }

  /** Uses this engine from now on: the first one, or one that replaces an engine that has gone. */
  async use(link: Link): Promise<void> {
    this.#link = link
    this.#isReady = false
    const isNow = () => this.#link === link
    for (const one of [...this.#pending.values()]) {
      one.progress.beginAgain()
      if (one.prepares) this.#end(one, moved('another takes its place'))
    }
    try {
      const waiting = new Set([...this.#pending.values()].map(({ call }) => call))
      for (const call of this.#files) await (waiting.has(call) ? this.#whenLoaded(call) : this.#ask(call))
      await this.#restore(isNow)
    } catch (error) {
      if (isNow()) this.#onError(new HeedError('moved', moved((error as Error).message).message, { cause: error }))
      return
    }
    if (!isNow()) return
    this.#isReady = true
    for (const one of [...this.#pending.values()].sort((a, b) => a.call.id - b.call.id)) {
      if (one.hasPulled) this.#end(one, moved('a file was being read'))
      else this.#send(one.call)
    }
  }

  receive(message: FromEngine): void {
    if (message.type === 'compiled') return
    if (message.type === 'failed' && message.code === 'crashed') return this.#onMessage(message)
    const { id, ...event } = message
    const pending = this.#pending.get(id)
    if (!pending) return
    if (event.type === 'done' || event.type === 'failed') return this.#end(pending, event)
    if (event.type === 'pull') pending.hasPulled = true
    if (!pending.answer && pending.progress.isNew(event)) this.#onMessage(message)
  }

  #send(call: Numbered): void {
    const { session } = call as { session?: number }
    const isNew = call.type === 'openSession' || call.type === 'restoreSession'
    const from = call.type === 'forkSession' ? call.from : isNew ? undefined : session
    const isLost = from !== undefined && this.#sessions.has(from) && this.#sessions.get(from) === undefined
    if (isLost) return this.#end(this.#pending.get(call.id)!, moved('this session cannot be read again'))
    try {
      this.#link?.post(call)
    } catch (error) {
      this.#pending.delete(call.id)
      throw error // something in the call cannot be cloned
    }
  }

  #abort(id: number): void {
    const pending = this.#pending.get(id)
    if (!pending) return
    if (this.#isReady) this.#link!.post({ type: 'abort', id })
    else this.#end(pending, { type: 'failed', code: 'aborted', message: 'The call was aborted' })
  }

  #end(pending: Pending, event: Extract<CallEvent, { type: 'done' | 'failed' }>): void {
    const { call, answer } = pending
    this.#pending.delete(call.id)
    if (event.type === 'done') this.#remember(call, event.result)
    this.#loading.get(call.id)?.()
    if (answer) answer(event)
    else this.#onMessage({ ...event, id: call.id })
  }

  /** Records what the next engine must be given. */
  #remember(call: Numbered, result: Results[keyof Results]): void {
    if (call.type === 'openSession') this.#sessions.set(call.session, [])
    else if (call.type === 'closeSession') this.#sessions.delete(call.session)
    else if (call.type === 'loadAdapter') this.#adapters.set(call.name, call)
    else if (call.type === 'unloadAdapter') this.#adapters.delete(call.name)
    const { session } = call as { session?: number }
    const ids = call.type === 'generate' ? (result as Results['generate']).tokens : result
    if (session === undefined || !(ids instanceof Int32Array)) return
    const isText = ids.every(id => id >= 0) // no images
    this.#sessions.set(session, isText ? [...ids] : undefined)
  }

  /** Gives a new engine the adapters and the sessions of this tab. */
  async #restore(isNow: () => boolean): Promise<void> {
    for (const call of this.#adapters.values()) await this.#ask(call)
    for (const [session, tokens] of this.#sessions) {
      try {
        if (!tokens) throw new Error('it has images')
        await this.#ask({ type: 'openSession', session })
        if (tokens.length === 0) continue
        const options = { addSpecial: false, parseSpecial: false, maxTokens: 0, seed: 0, speculate: false, reportsReading: false }
        await this.#ask({ type: 'generate', session, prompt: [...tokens], options })
      } catch (error) {
        if (!isNow()) throw error
        this.#sessions.set(session, undefined)
      }
    }
  }

  /** Makes a call of this class's own: to prepare the engine that serves now, or for a template. */
  #ask<Type extends keyof Results>(call: Extract<Call, { type: Type }>, prepares = true): Promise<Results[Type]> {
    const id = -++this.#lastOwn
    return new Promise((resolve, reject) => {
      const answer = (event: CallEvent) => {
        if (event.type === 'done') resolve(event.result as Results[Type])
        else if (event.type === 'failed') reject(new HeedError(event.code, event.message))
      }
      const own = { ...call, id } as Numbered
      this.#pending.set(id, { call: own, progress: new Progress(), hasPulled: false, answer, prepares })
      if (prepares || this.#isReady) this.#link!.post(own)
    })
  }

  /** Posts the caller's own call to load a file; resolves when it has ended. */
  #whenLoaded(call: Numbered): Promise<void> {
    return new Promise(resolve => {
      this.#loading.set(call.id, resolve)
      this.#send(call)
    })
  }

  /** The template worker tokenizes with the engine, which may be in another tab. */
  #serveTemplates(port: MessagePort): void {
    port.onmessage = async ({ data: { prompt, addSpecial } }: MessageEvent<TokenizeRequest>) => {
      const call = { type: 'tokenize' as const, prompt, addSpecial, parseSpecial: false }
      port.postMessage(
        await this.#ask(call, false).then(
          ids => ({ ids }),
          ({ code, message }: HeedError) => ({ code, message }),
        ),
      )
    }
  }
}

// The page's end of the connection to an engine worker.
import type { DecodeImage, Endpoint, Platform } from '../platform/platform.js'
import type { Assets } from '../types/index.js'
import type { WireDictionary } from '../wire/changes.js'
import { HeedError } from '../wire/errors.js'
import type { Call, Results } from '../wire/protocol.js'
import { withCaller } from './called-from.js'
import { Link, type CallOptions } from './link.js'
import { Renderer, type TemplateWorker } from './renderer.js'

export type { CallOptions } from './link.js'

/** The fields of an edit that hold a dictionary. */
interface DictionaryEdits {
  feature: readonly [WireDictionary, number]
  splice: WireDictionary
}

/** The page's handles to one engine. */
export interface PageEngine {
  readonly connection: Connection
  /** Runs the model's template. */
  readonly renderer: Renderer
  readonly decodeImage: DecodeImage
}

const abandoned = new FinalizationRegistry<Link>(link => {
  void link.close(new HeedError('disposed', 'The model was dropped'))
})

/** Neither the link nor the renderer, which the link holds, may reference the Connection: it would never be garbage-collected. */
export function connectEngine(endpoint: Endpoint, platform: Platform, assets?: Assets): PageEngine {
  const link = new Link(endpoint)
  const renderer = new Renderer(async () => {
    const templates = (await platform.startTemplates(assets)) as TemplateWorker
    const { port1, port2 } = new MessageChannel()
    link.post({ type: 'templates', port: port1 }, [port1])
    templates.post({ engine: port2 }, [port2])
    return templates
  }, link.gone)
  const decodeImage: DecodeImage = (image, whenAborted) => platform.decodeImage(image, whenAborted, assets)
  return { connection: new Connection(link), renderer, decodeImage }
}

/** Keeps the engine alive while an owner or a running call references it; the engine ends once it is garbage-collected. */
export class Connection {
  readonly #link: Link
  #lastSession = 0

  constructor(link: Link) {
    this.#link = link
    abandoned.register(this, link)
  }

  /** A number for a new session. */
  newSession(): number {
    return ++this.#lastSession
  }

  call<Type extends keyof Results>(call: Extract<Call, { type: Type }>, options: CallOptions = {}): Promise<Results[Type]> {
    const { edits } = ('options' in call ? call.options : call) as { edits?: Partial<DictionaryEdits>[] }
    const dictionary = edits?.map(({ feature, splice }) => feature?.[0] ?? splice).find(Boolean)
    if (dictionary) return withCaller(dictionary.run(this, call, options) as Promise<Results[Type]>)
    return this.#link.call(call, options, this)
  }

  /** As `Link.ready`. */
  ready(...is: Parameters<Link['ready']>): void {
    this.#link.ready(...is)
  }

  get runsIn(): Endpoint['runsIn'] {
    return this.#link.runsIn
  }

  get gone(): AbortSignal {
    return this.#link.gone
  }

  post(...message: Parameters<Link['post']>): void {
    this.#link.post(...message)
  }

  close(reason: HeedError): void | Promise<void> {
    return this.#link.close(reason)
  }
}

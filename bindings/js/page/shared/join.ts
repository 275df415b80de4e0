// Joins the tabs that share a model: the one that holds the lock serves all. When it closes, the next one in the queue takes over.
import type { Endpoint } from '../../platform/platform.js'
import { HeedError } from '../../wire/errors.js'
import type { ToEngine } from '../../wire/protocol.js'
import { type FromServer, hold, lifeOf, linkOf, lockOf, type ToServer, type Word, wordsOf } from './messages.js'
import { Server } from './server.js'
import { type Link, Tab } from './tab.js'

/**
 * Joins the tabs with the same `key`, which is equal in all tabs that share the model. `startEngine` is called if this tab has to
 * serve.
 */
export async function join(key: string, startEngine: () => Promise<Endpoint>): Promise<Endpoint> {
  const own = crypto.randomUUID()
  const left = new AbortController()
  const words = new BroadcastChannel(wordsOf(key))
  const say = (word: Word) => words.postMessage(word)
  const end = await hold(lifeOf(own))
  let server: string | undefined // the id of the server that this tab uses
  let channel: BroadcastChannel | undefined // to the server
  let stop: (() => void | Promise<void>) | undefined // ends serving

  const tab = new Tab(async () => {
    left.abort()
    channel?.postMessage({ type: 'bye' } satisfies ToServer)
    channel?.close()
    words.close()
    await stop?.()
    end()
  })

  /** Asks another tab. */
  function follow(other: string): void {
    if (other === server || stop) return
    server = other
    channel?.close()
    const link = (channel = new BroadcastChannel(linkOf(key, other, own)))
    link.onmessage = ({ data }: MessageEvent<FromServer>) => tab.receive(data)
    void tab.use({ runsIn: 'another-tab', post: message => link.postMessage(withoutModules(message)) })
  }

  words.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.say === 'began') say({ say: 'join', tab: own })
    else if (data.say === 'serves' && data.tab === own) follow(data.server)
  }
  say({ say: 'join', tab: own })

  hold(lockOf(key), left.signal)
    .then(async release => {
      const engine = await startEngine().catch((error: unknown) => {
        release()
        throw error
      })
      if (left.signal.aborted) {
        release()
        return engine.terminate()
      }
      channel?.close()
      stop = serve(key, own, engine, tab, words, release)
    })
    .catch((error: unknown) => {
      if (!left.signal.aborted) tab.fail(HeedError.from(error))
    })
  return tab
}

/** Serves this tab and all others that ask. Returns a function that ends it. */
function serve(
  key: string,
  own: string,
  engine: Endpoint,
  tab: Tab,
  words: BroadcastChannel,
  release: () => void,
): () => void | Promise<void> {
  const id = crypto.randomUUID()
  const ended = new AbortController()
  const links = new Map<string, BroadcastChannel>()
  const close = async () => {
    if (ended.signal.aborted) return
    ended.abort()
    for (const link of links.values()) link.close()
    await server.close()
    release()
  }
  const server = new Server(engine, error => {
    tab.fail(new HeedError('crashed', error.message))
    void close()
  })

  function drop(other: string): void {
    links.get(other)?.close()
    links.delete(other)
    server.drop(other)
  }

  function add(other: string): void {
    if (other === own || links.has(other)) return
    const link = new BroadcastChannel(linkOf(key, id, other))
    links.set(other, link)
    server.add(other, message => link.postMessage(message))
    link.onmessage = ({ data }: MessageEvent<ToServer>) => (data.type === 'bye' ? drop(other) : server.receive(other, data))
    words.postMessage({ say: 'serves', tab: other, server: id } satisfies Word)
    hold(lifeOf(other), ended.signal).then(
      free => {
        free()
        drop(other)
      },
      () => {},
    )
  }

  words.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.say === 'join') add(data.tab)
  }
  server.add(own, message => tab.receive(message))
  const link: Link = { runsIn: 'this-tab', post: (message, transfer) => server.receive(own, message, transfer) }
  void tab.use(link)
  words.postMessage({ say: 'began', server: id } satisfies Word)
  return close
}

/** Compiled modules stay in their tab; the serving tab has its own. */
const withoutModules = (message: ToEngine): ToEngine => (message.type === 'load' ? { ...message, modules: [] } : message)

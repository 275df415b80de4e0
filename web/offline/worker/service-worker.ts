// The page's service worker: keeps the page's own files, so that it works without a network, and adds the
// headers that isolate it, for hosts that cannot send them. It touches nothing else, nor the models of users.
/// <reference lib="webworker" />
import { withIsolation } from 'heed/isolation'

/** The files of this build, relative to the page, and a hash of them all: written here by build-worker.js. */
declare const pageFiles: readonly string[]
declare const pageVersion: string
declare const self: ServiceWorkerGlobalScope

const { scope } = self.registration
const cachePrefix = `heed ${scope} `
const cacheName = `${cachePrefix}${pageVersion}`
const kept = new Set(pageFiles.map(file => new URL(file, scope).href))
const home = new URL('index.html', scope).href

// A new version takes over when no page of the old one is left, so that none finds its files gone.
self.addEventListener('install', event => event.waitUntil(install()))
self.addEventListener('activate', event => event.waitUntil(takeOver()))
self.addEventListener('message', event => {
  if (event.data === 'keep') event.waitUntil(keep([...kept]).then(() => event.ports[0]?.postMessage('kept')))
})
self.addEventListener('fetch', event => {
  const { request } = event
  const url = request.url.split(/[?#]/, 1)[0]!
  if (request.method !== 'GET' || request.headers.has('range')) return
  if (request.mode === 'navigate') {
    if (url === scope || url === home) event.respondWith(openPage(request))
  } else if (kept.has(url)) {
    event.respondWith(openFile(url))
  }
})

const oldCaches = async () =>
  (await caches.keys()).filter(name => name.startsWith(cachePrefix) && name !== cacheName)

/**
 * The first time, all but the model, which is large: it waits until the page asks, not to delay the start.
 * An update takes all, for the version that has it goes when this one comes.
 */
async function install(): Promise<void> {
  const update = (await oldCaches()).length > 0
  await keep([...kept].filter(url => update || !url.endsWith('.gguf')))
}

/** Keeps what is not kept yet, from an older version where the file is the same: its hash is in its name. */
async function keep(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName)
  const missing = []
  for (const url of urls) {
    if (await cache.match(url)) continue
    const old = url === home ? undefined : await caches.match(url)
    if (old) await cache.put(url, old)
    else missing.push(url)
  }
  // Only the page itself has a name that does not change; the browser's own cache must not answer for it.
  await cache.addAll(missing.map(url => new Request(url, { cache: url === home ? 'no-cache' : 'default' })))
}

async function takeOver(): Promise<void> {
  for (const name of await oldCaches()) await caches.delete(name)
  await self.clients.claim()
}

/** From the network while there is one, so that a new version, whose files have new names, shows at once. */
async function openPage(request: Request): Promise<Response> {
  try {
    return withIsolation(await fetch(request))
  } catch (error) {
    const page = await caches.match(home, { cacheName })
    if (!page) throw error
    return withIsolation(page)
  }
}

async function openFile(url: string): Promise<Response> {
  return withIsolation(await caches.match(url, { cacheName }) ?? await fetch(url))
}

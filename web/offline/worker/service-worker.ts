// The page's service worker: caches the page's own files, so that it works offline, and adds the headers that isolate it, for hosts
// that cannot send them. It touches nothing else, not even the user's models.
/// <reference lib="webworker" />
import { withIsolation } from 'heed/isolation'

/** The files of this build, relative to the page, and a hash of them all, both inserted by build-worker.js. */
declare const pageFiles: readonly string[]
declare const pageVersion: string
declare const self: ServiceWorkerGlobalScope

const { scope } = self.registration
const cachePrefix = `heed ${scope} `
const cacheName = `${cachePrefix}${pageVersion}`
const kept = new Set(pageFiles.map(file => new URL(file, scope).href))
const home = new URL('index.html', scope).href
/** Whether a file is a model, of either format. */
const isModel = (url: string) => /\.(gguf|bin)$/.test(url)
/** Whether a file's name changes with its content: Vite puts a hash into the names of the files in this folder. */
const isHashed = (url: string) => url.startsWith(new URL('assets/', scope).href)

// A new version takes over once no page of the old one is open, so that no page loses its files.
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

const oldCaches = async () => (await caches.keys()).filter(name => name.startsWith(cachePrefix) && name !== cacheName)

/**
 * The first install caches everything but models, which are large: they wait until the page asks for them, so as not to delay its
 * start. An update caches everything, because the old version's cache is deleted when this version takes over.
 */
async function install(): Promise<void> {
  const update = (await oldCaches()).length > 0
  await keep([...kept].filter(url => update || !isModel(url)))
}

/**
 * Caches missing files. A file that an older cache has is copied if its name is hashed; the browser's HTTP cache must revalidate
 * the others, which keep their names when they change.
 */
async function keep(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName)
  const has = new Set((await cache.keys()).map(({ url }) => url)) // calling match for each would open each file
  const missing = []
  for (const url of urls) {
    if (has.has(url)) continue
    const old = isHashed(url) ? await caches.match(url) : undefined
    if (old) await cache.put(url, old)
    else missing.push(url)
  }
  await cache.addAll(missing.map(url => new Request(url, { cache: isHashed(url) ? 'default' : 'no-cache' })))
}

async function takeOver(): Promise<void> {
  for (const name of await oldCaches()) await caches.delete(name)
  // Not awaited: in Firefox 153, it never resolves, and the page's requests wait for it.
  void self.clients.claim()
}

/** Prefers the network, so that a new version, whose files have new names, appears at once. */
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
  return withIsolation((await caches.match(url, { cacheName })) ?? (await fetch(url)))
}

// The page's service worker: keeps the page's own files, so that it works without a network, and adds the headers that
// isolate it, for hosts that cannot send them. It touches no other request: not other origins', not users' models.
/// <reference lib="webworker" />
export {}

/** The files of this build, relative to the page, and a hash of them all: written here by page-files.js. */
declare const pageFiles: readonly string[]
declare const pageVersion: string
declare const self: ServiceWorkerGlobalScope

const { scope } = self.registration
const cachePrefix = `heed ${scope} `
const cacheName = `${cachePrefix}${pageVersion}`
const kept = new Set(pageFiles.map(file => new URL(file, scope).href))
const home = new URL('index.html', scope).href

/** A model is large: it waits until the page asks, and does not hold up the worker's start. */
const startFiles = [...kept].filter(url => !url.endsWith('.gguf'))

// A new version takes over when no page of the old one is left, so that none finds its files gone.
self.addEventListener('install', event => event.waitUntil(keep(startFiles)))
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

/** Fetches what is not kept yet. */
async function keep(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName)
  const present = new Set((await cache.keys()).map(request => request.url))
  await cache.addAll(urls.filter(url => !present.has(url)))
}

async function takeOver(): Promise<void> {
  const old = (await caches.keys()).filter(name => name.startsWith(cachePrefix) && name !== cacheName)
  await Promise.all(old.map(name => caches.delete(name)))
  await self.clients.claim()
}

/** From the network while there is one, so that a new version shows at once; its files bear their hash in the name. */
async function openPage(request: Request): Promise<Response> {
  try {
    return isolated(await fetch(request))
  } catch (error) {
    const page = await caches.match(home, { cacheName })
    if (!page) throw error
    return isolated(page)
  }
}

async function openFile(url: string): Promise<Response> {
  return isolated(await caches.match(url, { cacheName }) ?? await fetch(url))
}

/** The same response, with the headers that let a page share memory between threads. */
function isolated(response: Response): Response {
  if (response.status === 0) return response  // opaque: nothing can be added
  const headers = new Headers(response.headers)
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}

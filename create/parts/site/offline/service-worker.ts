// The service worker: stores the page's files, so that it works without a network, and adds the headers that threads need. It
// ignores requests to other origins; models from there are stored by Heed.
import { withIsolation } from 'heed/isolation'

/** The files of this build and a hash of them, both written by plugin.ts. */
declare const siteFiles: readonly string[]
declare const siteVersion: string
declare const self: ServiceWorkerGlobalScope

const { scope } = self.registration
const prefix = `site ${scope} `
const cacheName = `${prefix}${siteVersion}`
const home = new URL('index.html', scope).href
const kept = new Set(siteFiles.map(file => new URL(file, scope).href))

/**
 * The engine has a file for each kind of browser, and models are large. Of these files, only those that the page requests are
 * stored.
 */
const isLarge = (url: string) => /\.gguf$|\/heed-(relaxed|simd128|memory64)[^/]*\.wasm$/.test(url)

self.addEventListener('install', event => event.waitUntil(keepSmallFiles()))
self.addEventListener('activate', event => event.waitUntil(takeOver()))
self.addEventListener('fetch', event => {
  const { request } = event
  const url = request.url.split(/[?#]/, 1)[0]!
  if (request.method !== 'GET' || request.headers.has('range')) return
  if (request.mode === 'navigate') event.respondWith(openPage(request))
  else if (kept.has(url)) event.respondWith(openFile(url))
})

async function keepSmallFiles(): Promise<void> {
  const cache = await caches.open(cacheName)
  await cache.addAll([...kept].filter(url => !isLarge(url)))
}

async function takeOver(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name)
  await self.clients.claim()
}

/** The network comes first, so that a new version of the page appears at once. */
async function openPage(request: Request): Promise<Response> {
  try {
    return withIsolation(await fetch(request)) as Response
  } catch (error) {
    const page = await caches.match(home, { cacheName })
    if (!page) throw error
    return withIsolation(page) as Response
  }
}

async function openFile(url: string): Promise<Response> {
  const found = await caches.match(url, { cacheName })
  if (found) return withIsolation(found) as Response
  const response = await fetch(url)
  if (response.ok) await (await caches.open(cacheName)).put(url, response.clone())
  return withIsolation(response) as Response
}

// The manual's service worker: it keeps all files of the manual at the first visit, so that every page opens without a network. The
// list of them and the hash of all are inserted by scripts.mjs.
/* global manualFiles, manualVersion */
import { withIsolation } from '../../../dist/isolation.js'

const { scope } = self.registration
const prefix = `heed manual ${scope} `
const cacheName = prefix + manualVersion
const kept = new Set(manualFiles.map(file => new URL(file, scope).href))

self.addEventListener('install', event => event.waitUntil(keep().then(() => self.skipWaiting())))
self.addEventListener('activate', event => event.waitUntil(takeOver()))
self.addEventListener('fetch', event => {
  const { method, url } = event.request
  const file = url.split(/[?#]/, 1)[0].replace(/\/$/, '/index.html')
  if (method !== 'GET' || event.request.headers.has('range')) return
  if (kept.has(file)) event.respondWith(open(event.request, file))
  else if (isOfPage(file)) event.respondWith(openOfPage(event.request))
})

async function keep() {
  const cache = await caches.open(cacheName)
  await cache.addAll([...kept].map(url => new Request(url, { cache: 'no-cache' })))
}

async function takeOver() {
  for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name)
  void self.clients.claim() // not awaited: in Firefox, requests of the page wait for it
}

/** Of the page, live snippets need files that the page's own service worker may keep. */
const isOfPage = url => url.startsWith(new URL('../assets/', scope).href)

/** Pages come from the network, so that a new version appears at once; their other files come from the stored version. */
async function open(request, file) {
  if (request.mode === 'navigate') {
    try {
      return withIsolation(await fetch(request))
    } catch {}
  }
  return withIsolation((await caches.match(file, { cacheName })) ?? (await fetch(request)))
}

async function openOfPage(request) {
  return withIsolation((await caches.match(request)) ?? (await fetch(request)))
}

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
  if (method === 'GET' && kept.has(file)) event.respondWith(open(event.request, file))
})

async function keep() {
  const cache = await caches.open(cacheName)
  await cache.addAll([...kept].map(url => new Request(url, { cache: 'no-cache' })))
}

async function takeOver() {
  for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name)
  void self.clients.claim() // not awaited: in Firefox, requests of the page wait for it
}

/** Pages come from the network, so that a new version appears at once; what belongs to them is of the version that is kept. */
async function open(request, file) {
  if (request.mode === 'navigate') {
    try {
      return withIsolation(await fetch(request))
    } catch {}
  }
  return withIsolation((await caches.match(file, { cacheName })) ?? (await fetch(request)))
}

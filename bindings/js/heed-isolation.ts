// The service worker of heed/isolation: forwards requests and adds the headers that isolate a page. It caches nothing.
import { withIsolation } from './isolation/with-isolation.js'

/** The members of a service worker's scope that are used here; TypeScript's libraries declare either pages or workers. */
interface Scope {
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(type: 'install' | 'activate', listener: (event: { waitUntil(done: Promise<void>): void }) => void): void
  addEventListener(
    type: 'fetch',
    listener: (event: { request: Request; respondWith(response: Promise<Response>): void }) => void,
  ): void
}
const scope = globalThis as unknown as Scope

scope.addEventListener('install', event => event.waitUntil(scope.skipWaiting()))
scope.addEventListener('activate', event => event.waitUntil(scope.clients.claim()))
scope.addEventListener('fetch', event => {
  const { request } = event
  // Developer tools of Chromium make requests that only the page itself can fulfill.
  if (request.cache === 'only-if-cached' && request.mode !== 'same-origin') return
  event.respondWith(fetch(request).then(response => withIsolation(response)))
})

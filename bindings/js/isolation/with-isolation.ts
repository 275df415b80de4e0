// The service worker's half of heed/isolation: the headers that isolate a page.
import type { WebResponse } from '../types/web.js'

/**
 * The same response with the headers that isolate a page, for your own service worker.
 *
 * @example
 * self.addEventListener('fetch', event => event.respondWith(fetch(event.request).then(withIsolation)))
 */
export function withIsolation(response: WebResponse): WebResponse {
  if (response.status === 0) return response  // opaque: nothing can be added
  const headers = new Headers(response.headers)
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}

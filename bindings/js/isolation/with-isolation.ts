// The service worker's half of heed/isolation: the headers that isolate a page.
import type { WebResponse } from '../types/web.js'
import { refuse } from '../wire/errors.js'

/** Statuses whose responses have no body, and are not made with one: https://fetch.spec.whatwg.org/#null-body-status */
const withoutBody = [204, 205, 304]

/**
 * The same response with the headers that isolate a page, for your own service worker. What another origin has sent, also after a redirect,
 * stays as it is: that origin decides whether it may be embedded. Throws `invalid-argument` for what is not a Response, or
 * one whose body has been read.
 *
 * @example
 * self.addEventListener('fetch', event => event.respondWith(fetch(event.request).then(withIsolation)))
 */
export function withIsolation(response: WebResponse): WebResponse {
  if (!(response instanceof Response)) throw refuse('withIsolation: expected a Response, such as fetch resolves to')
  if (response.bodyUsed || response.body?.locked) throw refuse('withIsolation: the body of the response has been read')
  const { status, statusText, url } = response
  if (status === 0) return response // opaque: nothing can be added
  if (url && globalThis.location && new URL(url).origin !== location.origin) return response // a worker's own responses have no address
  const headers = new Headers(response.headers)
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  // Not `credentialless`, which Safari lacks: https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Cross-Origin-Embedder-Policy
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  return new Response(withoutBody.includes(status) ? null : response.body, { status, statusText, headers })
}

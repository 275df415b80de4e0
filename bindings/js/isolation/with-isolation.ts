// The service worker's half of heed/isolation: the headers that isolate a page.
import type { WebResponse } from '../types/web.js'
import { refuse } from '../wire/errors.js'
import { checkOptions } from './options.js'

/** Statuses of responses that must not have a body: https://fetch.spec.whatwg.org/#null-body-status */
const withoutBody = [204, 205, 304]

/**
 * How a page is isolated:
 * - `document`: by `Document-Isolation-Policy`, with which embeds and pop-ups of other sites go on working; Chromium from 137
 * - `cross-origin`: by `Cross-Origin-Opener-Policy` and `Cross-Origin-Embedder-Policy`, in all browsers
 */
export type IsolationPolicy = keyof typeof headersOf

const headersOf = {
  document: { 'Document-Isolation-Policy': 'isolate-and-credentialless' },
  'cross-origin': {
    'Cross-Origin-Opener-Policy': 'same-origin',
    // Not `credentialless`, which Safari lacks: https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Cross-Origin-Embedder-Policy
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
  },
}

export interface IsolationOptions {
  /** Default: `document` where the browser has it. */
  policy?: IsolationPolicy
}

/**
 * Whether the browser isolates by `Document-Isolation-Policy`: Chromium from 137, on Android from 146. Before a page is loaded,
 * only the version tells.
 */
function isolatesDocuments(): boolean {
  const { userAgentData } = (globalThis.navigator ?? {}) as {
    userAgentData?: { mobile: boolean; brands: readonly { brand: string; version: string }[] }
  }
  const chromium = userAgentData?.brands.find(({ brand }) => brand === 'Chromium')
  return chromium !== undefined && Number(chromium.version) >= (userAgentData!.mobile ? 146 : 137)
}

function policyOf(options: IsolationOptions): IsolationPolicy {
  checkOptions('withIsolation', options, 'policy')
  const { policy = isolatesDocuments() ? 'document' : 'cross-origin' } = options
  if (!Object.hasOwn(headersOf, policy)) throw refuse('withIsolation: policy: expected document or cross-origin')
  return policy
}

/**
 * The response with the headers that isolate a page, for your own service worker. A response of another origin, also after a
 * redirect, stays as it is: that origin decides whether it may be embedded. Throws `invalid-argument` for an unknown option, a
 * value that is not a Response, and a Response whose body has been read.
 *
 * @example
 * self.addEventListener('fetch', event => event.respondWith(fetch(event.request).then(response => withIsolation(response))))
 */
export function withIsolation(response: WebResponse, options: IsolationOptions = {}): WebResponse {
  const policy = policyOf(options)
  if (!(response instanceof Response)) throw refuse('withIsolation: expected a Response, such as fetch resolves to')
  if (response.bodyUsed || response.body?.locked) throw refuse('withIsolation: the body of the response has been read')
  const { status, statusText, url } = response
  if (status === 0) return response // an opaque response: nothing can be added
  if (url && globalThis.location && new URL(url).origin !== location.origin) return response // a worker's own responses have no address
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(headersOf[policy])) headers.set(name, value)
  return new Response(withoutBody.includes(status) ? null : response.body, { status, statusText, headers })
}

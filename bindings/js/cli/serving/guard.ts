// Decides who may use a server on this machine. Refuses pages of other origins, even if a domain of theirs leads to this machine,
// and requests without the key.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface Guard {
  /** The key that requests must have; undefined for none. */
  readonly key?: string
  /** The origins of pages that may use the server. */
  readonly origins: readonly string[]
}

/** The reason for refusing a request, in the format of OpenAI's API. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
}

/**
 * Whether the Host header names this machine, which containers call `host.docker.internal` or similarly. A page's own domain can
 * lead to this machine (DNS rebinding), but its requests then have that domain in the header; no page has a domain in `internal`,
 * which is reserved for private networks.
 */
const isLocal = (host: string | undefined) => /^(localhost|127\.0\.0\.1|\[::1\]|host\.[a-z]+\.internal)(:\d+)?$/i.test(host ?? '')

const digest = (text: string) => createHash('sha256').update(text).digest()

export function refusalOf({ headers, method }: IncomingMessage, { key, origins }: Guard): Refusal | undefined {
  if (!isLocal(headers.host)) {
    return { status: 403, code: 'host_not_allowed', message: 'the Host of a request must be localhost, 127.0.0.1 or [::1]' }
  }
  const { origin } = headers
  if (origin !== undefined && !origins.includes(origin)) {
    return { status: 403, code: 'origin_not_allowed', message: `pages of ${origin} may not ask: --cors ${origin} allows it` }
  }
  if (origin === undefined && headers['sec-fetch-site'] === 'cross-site') {
    return { status: 403, code: 'origin_not_allowed', message: 'pages of other sites may not ask' }
  }
  if (!['GET', 'POST', 'DELETE', 'OPTIONS'].includes(method!)) {
    return { status: 405, code: 'method_not_allowed', message: `no endpoint has the method ${method}` }
  }
  if (key === undefined || method === 'OPTIONS') return undefined // preflights have no key
  const [, given = ''] = /^Bearer +(.+)$/i.exec(headers.authorization ?? '') ?? []
  if (timingSafeEqual(digest(given), digest(key))) return undefined
  return { status: 401, code: 'invalid_api_key', message: 'the API key is missing or wrong' }
}

/** The headers that allow a page of a permitted origin to read the answer, or the reason why there is none. */
export function corsHeaders({ headers, method }: IncomingMessage, { origins }: Guard): Record<string, string> {
  const { origin } = headers
  if (origin === undefined || !origins.includes(origin)) return {}
  const asked = headers['access-control-request-headers']
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'x-heed-warning',
    Vary: 'Origin',
    ...(method === 'OPTIONS' && {
      'Access-Control-Allow-Methods': 'GET, POST, DELETE',
      'Access-Control-Max-Age': '600',
      ...(asked !== undefined && { 'Access-Control-Allow-Headers': asked }),
      ...(headers['access-control-request-private-network'] === 'true' && { 'Access-Control-Allow-Private-Network': 'true' }),
    }),
  }
}

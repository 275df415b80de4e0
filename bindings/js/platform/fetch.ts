// Fetches files. A failure is a HeedError with the address, the cause and a remedy.
import { HeedError } from '../wire/errors.js'

/** Pages and their workers have an address; Node, Deno and Bun have none unless one is set. */
const isOfPage = globalThis.location !== undefined

/** The reason of a failed fetch. Node reports it in the error's causes; browsers do not report it. */
export function reasonOf(error: Error): string {
  const cause = error.cause ?? (error as AggregateError).errors?.[0]
  return cause instanceof Error ? reasonOf(cause) : error.message || (error as { code?: string }).code || error.name
}

const remedyInPages =
  " Is there a network, and do its server (Access-Control-Allow-Origin) and the page's Content-Security-Policy " +
  "(connect-src 'self', or its origin) allow it?"

/** Whether the machine is known to have no network. */
export const isOffline = () => globalThis.navigator?.onLine === false

/** The error if no server answers. */
export function unreachable(url: string, error: Error, remedy = ''): HeedError {
  const why = isOffline() ? 'this machine is offline.' : `${reasonOf(error)}.${isOfPage ? remedyInPages : ''}`
  return new HeedError('network', `${url} cannot be fetched: ${why} ${remedy}`.trimEnd(), { cause: error })
}

/** Throws `network` if there is no response, or its status is not a success. */
export async function fetchSuccessfully(url: string, remedy = ''): Promise<Response> {
  const response = await fetch(url).catch((error: Error) => {
    throw unreachable(url, error, remedy)
  })
  if (response.ok) return response
  throw new HeedError('network', `${url}: ${`HTTP ${response.status} ${response.statusText}`.trimEnd()}. ${remedy}`.trimEnd())
}

// Fetches files. A failure is a HeedError with the address, the cause and a remedy.
import { HeedError } from '../wire/errors.js'

/** The error if no server answers. */
export const unreachable = (url: string, error: Error, remedy = '') => new HeedError('network',
  `${url} cannot be fetched: ${error.message}. Is there a network, and do its server (Access-Control-Allow-Origin) and the page's `
  + `Content-Security-Policy (connect-src 'self', or its origin) allow it? ${remedy}`.trimEnd())

/** Throws `network` if there is no response, or its status is not a success. */
export async function fetchSuccessfully(url: string, remedy = ''): Promise<Response> {
  const response = await fetch(url).catch((error: Error) => {
    throw unreachable(url, error, remedy)
  })
  if (response.ok) return response
  throw new HeedError('network', `${url}: ${`HTTP ${response.status} ${response.statusText}`.trimEnd()}. ${remedy}`.trimEnd())
}

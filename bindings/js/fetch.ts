// A download that fails is a HeedError that names its URL.
import { HeedError } from './errors.js'

/** The response to a request; throws `network` where there is none, or it is not a success. */
export async function fetchSuccessfully(url: string): Promise<Response> {
  const response = await fetch(url).catch((error: Error) => {
    throw new HeedError('network', `${url}: ${error.message}`)
  })
  if (response.ok) return response
  throw new HeedError('network', `${url}: HTTP ${response.status} ${response.statusText}`.trimEnd())
}

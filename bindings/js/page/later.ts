// Loads scripts of the package on demand.
import { HeedError } from '../wire/errors.js'

/** The exports of a script. Throws `network`. */
export const fetched = <Script>(name: string, script: Promise<Script>): Promise<Script> =>
  script.catch((cause: unknown) => {
    throw new HeedError('network', `${name} cannot be loaded`, { cause })
  })

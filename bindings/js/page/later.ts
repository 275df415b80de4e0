// Scripts of the package that are fetched when they are first needed.
import { HeedError } from '../wire/errors.js'

/** What a script exports. Throws `network`. */
export const fetched = <Script>(name: string, script: Promise<Script>): Promise<Script> =>
  script.catch((cause: unknown) => {
    throw new HeedError('network', `${name} cannot be loaded`, { cause })
  })

// The lab's script, fetched at the first call that needs it.
import { HeedError } from '../../wire/errors.js'

/** Throws `network`. */
export const lab = () => import('./script.js').catch((cause: unknown) => {
  throw new HeedError('network', 'lab.js cannot be loaded', { cause })
})

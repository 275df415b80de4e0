// Checks the options of heed/isolation. The package's own readers of options would double the size of this script.
import { refuse } from '../wire/errors.js'

/** Throws `invalid-argument` if `options` is not an object, or has any option other than `only`. */
export function checkOptions(call: string, options: object, only: string): void {
  if (typeof options !== 'object' || options === null) throw refuse(`${call}: options: expected an object`)
  const unknown = Object.keys(options).find(name => name !== only)
  if (unknown) throw refuse(`${call} has no option "${unknown}"; its option is ${only}`)
}

// The check of options for heed/isolation. The readers that the package has for this would double the size of its script.
import { refuse } from '../wire/errors.js'

/** Throws `invalid-argument` for what is no object, and for any option but the only one that the function has. */
export function checkOptions(call: string, options: object, only: string): void {
  if (typeof options !== 'object' || options === null) throw refuse(`${call}: options: expected an object`)
  const unknown = Object.keys(options).find(name => name !== only)
  if (unknown) throw refuse(`${call} has no option "${unknown}"; its option is ${only}`)
}

// Options for all answers that the browsers' AI interfaces themselves do not have.
import { offered } from './offered.generated.js'

export type OfferedName = (typeof offered)[number]

/** Throws a TypeError for unknown options. `more` names the options besides those that all interfaces take. */
export function checkChat<Options extends object>(chat: Options, ...more: readonly string[]): Options {
  const other = Object.keys(chat).find(name => ![...offered, ...more].includes(name))
  if (other !== undefined) throw new TypeError(`chat: there is no option "${other}" here`)
  return chat
}

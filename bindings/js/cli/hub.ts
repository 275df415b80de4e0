// The option `hub` of commands that read from a hub.
import type { HubOptions } from 'heed'
import { optionsFrom } from './arguments.js'
import { hubOptions as table } from './options.generated.js'

/** The arguments as the option `hub` of the package; empty if none is given. */
export function hubOption(values: Parameters<typeof optionsFrom>[0]): { hub?: HubOptions } {
  const hub = optionsFrom(values, table) as HubOptions
  return Object.values(hub).some(one => one !== undefined) ? { hub } : {}
}

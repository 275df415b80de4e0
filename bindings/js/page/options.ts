// Reads the options of a call by the descriptions in calls.ts, which is generated from the contract in api/.
import { reading } from './called-from.js'
import { calls } from './calls.generated.js'
import { type Read, readAll } from './readers.js'

export type Options<Call extends keyof typeof calls> = Read<(typeof calls)[Call]>

/** A plain copy of a call's options, with defaults. Throws `invalid-argument` for unknown options and invalid values. */
export const readOptions = <Call extends keyof typeof calls>(call: Call, options: unknown = {}): Options<Call> =>
  reading(() => readAll(call, options, calls[call])) as Options<Call>

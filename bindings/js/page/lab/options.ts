// Reads the options of the lab's larger calls by the descriptions in calls.ts beside it, which is generated from the contract in api/.
import { reading } from '../called-from.js'
import { type Read, readAll } from '../readers.js'
import { calls } from './calls.generated.js'

export type LabOptions<Call extends keyof typeof calls> = Read<(typeof calls)[Call]>

/** As `readOptions`, for the lab's larger calls. */
export const readLabOptions = <Call extends keyof typeof calls>(call: Call, options: unknown = {}): LabOptions<Call> =>
  reading(() => readAll(call, options, calls[call])) as LabOptions<Call>

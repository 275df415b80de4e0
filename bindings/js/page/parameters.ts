// The options of a generation in the form that the engine reads.
import type { GenerateParameters } from '../wire/protocol.js'
import type { Options } from './options.js'
import { randomSeed } from './seed.js'

/** All but the signal, which stays in the caller's thread. */
export const generateParameters = (
  { speculate, seed = randomSeed(), ...rest }: Omit<Options<'generate'>, 'signal'>,
): Omit<GenerateParameters, 'addSpecial'> & { addSpecial?: boolean } => ({ ...rest, seed, speculate: speculate === 'auto' })

// The options of a generation in the form that the engine reads.
import type { WritingParameters } from '../wire/protocol.js'
import type { Outline } from '../wire/form.js'
import type { Formed } from './formed.js'
import type { Options } from './options.js'
import { randomSeed } from './seed.js'

/** What `generate` was asked for; a chat's texts have forms in parts, and tokens that end them. */
export type GenerateRequest = Omit<Formed<Options<'generate'>>, 'form' | 'stop'> & { form?: Outline; stop?: (string | number)[] }

/** All but the form and what stays in the caller's thread. */
export const generateParameters = ({
  seed = randomSeed(),
  onProgress,
  ...rest
}: Omit<GenerateRequest, 'signal' | 'form'>): Omit<WritingParameters, 'addSpecial'> & { addSpecial?: boolean } => ({
  ...rest,
  seed,
  reportsReading: onProgress !== undefined,
})

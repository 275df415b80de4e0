// Converts the options of a generation for the engine.
import type { ReasoningLimit, WritingParameters } from '../wire/protocol.js'
import type { Outline } from '../wire/constraint.js'
import type { WithConstraint } from './with-constraint.js'
import type { Options } from './options.js'
import { randomSeed } from './seed.js'

/** A request to `generate`; in a chat, with an outline as the constraint, tokens that end the text, and a limit of its reasoning. */
export type GenerateRequest = Omit<WithConstraint<Options<'generate'>>, 'constraint' | 'stop'> & {
  constraint?: Outline
  stop?: (string | number)[]
  reasoning?: ReasoningLimit
}

/** All options except the constraint and those that stay in the caller's thread. */
export const generateParameters = ({
  seed = randomSeed(),
  onProgress,
  onUnmasked: _,
  ...rest
}: Omit<GenerateRequest, 'signal' | 'constraint'>): Omit<WritingParameters, 'addSpecial'> & { addSpecial?: boolean } => ({
  ...rest,
  seed,
  reportsReading: onProgress !== undefined,
})

// The end of a generation with the probabilities of its choices, if they were asked for.
import type { Results, WirePrompt, WritingParameters } from '../wire/protocol.js'
import type { Connection } from './connection.js'
import { lab } from './lab/lab.js'

/** Adds the probabilities of `choices` to the end of a generation. `prompt`: the text that the generation continued. */
export async function scored(
  end: Results['generate'],
  connection: Connection,
  prompt: WirePrompt,
  choices: readonly string[] | undefined,
  parameters: Omit<WritingParameters, 'addSpecial'> & { addSpecial?: boolean },
  stop: AbortSignal,
) {
  if (!choices || stop.aborted) return end
  return { ...end, choiceProbabilities: await (await lab()).choiceProbabilities(connection, prompt, choices, parameters, stop) }
}

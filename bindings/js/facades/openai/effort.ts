// How much a model is to reason, as its chat template can do it.
import type { ChatOptions } from '../../page/chat/chat-options.generated.js'
import type { Model } from '../../page/model.js'
import { effortIn } from '../reasoning.js'
import type { Warn } from './read.js'

/** The options for an effort, which `param` asks for, beside other variables of the template. */
export async function thinking(
  model: Model,
  effort: string | undefined,
  variables: Readonly<Record<string, unknown>> | undefined,
  param: string,
  warn: Warn,
): Promise<Pick<ChatOptions, 'think' | 'variables'>> {
  if (effort === undefined) return variables ? { variables } : {}
  const { source, info } = await model.chatTemplate()
  const { level, doubt } = effortIn(source, info, effort)
  if (doubt) warn(param, doubt.details)
  return { think: effort !== 'none', variables: { ...(level && { reasoning_effort: level }), ...variables } }
}

// Converts a request's reasoning effort to chat options that the model's template supports.
import type { ChatOptions } from '../../page/chat/chat-options.generated.js'
import type { Model } from '../../page/model.js'
import { effortIn } from '../reasoning.js'
import type { Warn } from './read.js'

/** The chat options for `effort`, merged with the template's other `variables`. Warnings name `param`, the effort's parameter. */
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

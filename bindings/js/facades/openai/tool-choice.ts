// Determines which tools the model is offered, and whether it has to call one.
import type { ChatTool } from '../../chat/types.js'
import type { ChatOptions } from '../../page/chat/chat-options.generated.js'
import { needed } from './conversation.js'
import { ParameterError } from './errors.js'
import { fields, list, object, oneOf, type Reader, text } from './read.js'

/** A choice and, if it is limited to some of the tools, their names. */
export interface ToolChoice {
  readonly choice?: ChatOptions['toolChoice']
  readonly among?: readonly string[]
}

/** The reader of a choice. `nameOf` reads a tool's name; `wrapper` is the field, if any, that holds the allowed tools. */
export const toolChoiceOf =
  (nameOf: Reader<string>, wrapper?: 'allowed_tools'): Reader<ToolChoice> =>
  (value, param) => {
    if (typeof value === 'string') return { choice: oneOf('auto', 'none', 'required')(value, param) }
    if (object(value, param).type !== 'allowed_tools') return { choice: { name: nameOf(value, param) } }
    const allowed = { mode: oneOf('auto', 'required'), tools: list(nameOf) }
    const { mode, tools } = wrapper
      ? (fields({ type: text, [wrapper]: fields(allowed) })(value, param)[wrapper] ?? {})
      : fields({ type: text, ...allowed })(value, param)
    return { choice: mode, among: needed(tools, `${param}${wrapper ? `.${wrapper}` : ''}.tools`) }
  }

/** The tools that the model is offered. Throws if the choice names an absent tool, or requires a tool and there are none. */
export function offeredTools(tools: readonly ChatTool[] = [], { choice, among }: ToolChoice = {}): readonly ChatTool[] {
  for (const asked of among ?? (typeof choice === 'object' ? [choice.name] : [])) {
    if (tools.some(({ function: { name } }) => name === asked)) continue
    throw new ParameterError('tool_choice', `there is no tool ${JSON.stringify(asked)}`)
  }
  const left = among ? tools.filter(({ function: { name } }) => among.includes(name)) : tools
  if (choice === 'required' && left.length === 0) throw new ParameterError('tool_choice', 'needs tools')
  return left
}

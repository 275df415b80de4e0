// Which tools the model is offered, and whether it has to call one.
import type { ChatTool } from '../../chat/types.js'
import type { ChatOptions } from '../../page/chat/chat-options.generated.js'
import { needed } from './conversation.js'
import { ParameterError } from './errors.js'
import { fields, list, object, oneOf, type Reader, text } from './read.js'

/** A choice, and the tools that it is limited to, if it is. */
export interface ToolChoice {
  readonly choice?: ChatOptions['toolChoice']
  readonly among?: readonly string[]
}

/** The reader of a choice: `nameOf` reads that of a tool, and `wrapper` is the field, if any, that has those of several. */
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

/** The tools that the model is offered. Throws for a choice that they do not allow. */
export function offeredTools(tools: readonly ChatTool[] = [], { choice, among }: ToolChoice = {}): readonly ChatTool[] {
  for (const asked of among ?? (typeof choice === 'object' ? [choice.name] : [])) {
    if (tools.some(({ function: { name } }) => name === asked)) continue
    throw new ParameterError('tool_choice', `there is no tool ${JSON.stringify(asked)}`)
  }
  const left = among ? tools.filter(({ function: { name } }) => among.includes(name)) : tools
  if (choice === 'required' && left.length === 0) throw new ParameterError('tool_choice', 'needs tools')
  return left
}

// The tools of a chat, checked and copied at the call, with what the model gets to read of them.
import type { ChatTool } from '../../chat/types.js'
import { copied, expect, isObject, isText, itemsOf, matched, Mismatch, type Reader, refuse } from '../readers.js'
import type { Tool } from './messages.js'
import { type Parameters, parametersOf } from './parameters.js'

export interface KnownTool {
  readonly name: string
  /** In OpenAI's format. */
  readonly description: ChatTool
  readonly parameters: Parameters
  readonly execute?: NonNullable<Tool['execute']>
}

const isFunction = (value: unknown) => value === undefined || typeof value === 'function'

/** Throws `invalid-argument` for what is not a tool. */
export const readTools: Reader<KnownTool[]> = (value, what) => {
  const items = itemsOf(value)
  if (!items) throw new Mismatch('an array of tools')
  const tools = items.map((tool, at) => readTool(tool, `${what}[${at}]`))
  const names = tools.map(({ name }) => name)
  const again = names.findIndex((name, at) => names.indexOf(name) < at)
  if (again >= 0) throw refuse(`${what}[${again}].name: another tool is named ${names[again]}`)
  return tools
}

function readTool(value: unknown, what: string): KnownTool {
  const tool = matched(what, value, expect<Tool>('an object', isObject))
  const { execute, ...rest } = copied(tool) as Tool
  const { function: described, ...wrapper } = 'function' in rest ? rest : { type: 'function' as const, function: rest }
  const name = matched(`${what}.name`, (described as { name?: unknown } | null)?.name, expect<string>('a non-empty string', isText))
  matched(`${what}.execute`, execute, expect('a function', isFunction))
  const parameters = matched(`${what}.parameters`, described.parameters, parametersOf)
  return { name, parameters, execute, description: { ...wrapper, function: { ...described, name, parameters: parameters.schema } } as ChatTool }
}

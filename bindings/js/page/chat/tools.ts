// Checks and copies the tools of a chat at the call, with their descriptions for the model.
import type { ChatTool } from '../../chat/types.js'
import { refuse } from '../../wire/errors.js'
import {
  boolean,
  copied,
  expect,
  isObject,
  isText,
  itemsOf,
  matched,
  Mismatch,
  oneOf,
  type Reader,
  readAll,
  required,
  text,
} from '../readers.js'
import type { ChatOptions } from './chat-options.generated.js'
import type { Tool } from './messages.js'
import { type Parameters, parametersOf } from './parameters.js'

export interface KnownTool {
  readonly name: string
  /** The tool in OpenAI's format. */
  readonly description: ChatTool
  readonly parameters: Parameters
  /** Whether its calls are constrained to the parameters in every reply. */
  readonly strict: boolean
  readonly execute?: NonNullable<Tool['execute']>
}

export type ToolChoice = NonNullable<ChatOptions['toolChoice']>

export const toolChoice: Reader<ToolChoice> = (value, what) => {
  if (isObject(value)) return readAll(what, value, { name: [text, required] }) as { name: string }
  return oneOf('auto', 'none', 'required')(value, what)
}

/**
 * Whether the model sees the tools. Throws `invalid-argument` for a choice that names no tool, or requires one where there is none.
 */
export function offers(tools: readonly KnownTool[], choice: ToolChoice): boolean {
  if (choice === 'required' && tools.length === 0) throw refuse("chat: toolChoice 'required' needs tools")
  if (typeof choice === 'object' && !tools.some(({ name }) => name === choice.name)) {
    throw refuse(`chat: toolChoice: there is no tool "${choice.name}"`)
  }
  return choice !== 'none' && tools.length > 0
}

const isFunction = (value: unknown) => value === undefined || typeof value === 'function'

/** Reads a list of tools. Throws `invalid-argument` for a value that is not a tool. */
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
  const call = matched(`${what}.execute`, execute, expect<Tool['execute']>('a function', isFunction))?.bind(tool) as Tool['execute'] // not to the copy
  const { strict: given = false, ...shown } = described as typeof described & { strict?: unknown } // has no meaning for a model
  const strict = matched(`${what}.strict`, given, boolean)
  const parameters = matched(`${what}.parameters`, described.parameters, parametersOf)
  return {
    name,
    parameters,
    strict,
    execute: call,
    description: { ...wrapper, function: { ...shown, name, parameters: parameters.schema } } as ChatTool,
  }
}

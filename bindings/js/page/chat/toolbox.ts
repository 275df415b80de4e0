// The tools of a chat at run time: checks calls, and runs them.
import { isKnown, Schemas } from '../../chat/kinds.js'
import type { ChatTool, Json } from '../../chat/types.js'
import type { CalledTool } from '../../chat/writing/index.js'
import { HeedError } from '../../wire/errors.js'
import { isObject, wellFormed } from '../readers.js'
import type { ChatToolCall, ToolRun } from './messages.js'
import type { ChatWriter } from './request.js'
import { mismatch } from './schema.js'
import type { KnownTool } from './tools.js'

export interface ToolOutcome {
  readonly content: string
  readonly isError: boolean
}

export class Toolbox {
  /** The tools in OpenAI's format. */
  readonly descriptions: readonly ChatTool[]
  readonly #tools: ReadonlyMap<string, KnownTool>

  constructor(tools: readonly KnownTool[]) {
    this.descriptions = tools.map(({ description }) => description)
    this.#tools = new Map(tools.map(tool => [tool.name, tool]))
  }

  /** The tools as constraints on calls; with `name`, only the tool with this name. */
  called(name?: string): CalledTool[] {
    return [...this.#tools.values()].filter(tool => name === undefined || tool.name === name).map(tool => held(tool))
  }

  /** Whether some tool is strict, so that every reply is constrained. */
  get isStrict(): boolean {
    return [...this.#tools.values()].some(({ strict }) => strict)
  }

  /** The tools as constraints on any reply: tools that are not strict take any arguments. */
  get offered(): CalledTool[] {
    return [...this.#tools.values()].map(tool => (tool.strict ? held(tool) : free(tool)))
  }

  /** Whether `run` answers the call, with a result or an error; otherwise, the caller has to run it. */
  answers({ name, error }: ChatToolCall): boolean {
    const tools = [...this.#tools.values()]
    if (!tools.some(({ execute }) => execute)) return false
    return !this.#tools.has(name) || this.#tools.get(name)!.execute !== undefined || error !== undefined
  }

  /** Runs a call and returns its result for the model. `calling` is called when the tool's function begins and when it returns. */
  async run(call: ChatToolCall, run: ToolRun, calling?: ChatWriter['calling']): Promise<ToolOutcome> {
    const { name, arguments: given, error } = call
    const tool = this.#tools.get(name)
    const wrong =
      error ??
      (tool ? undefined : `unknown tool "${name}"; known: ${[...this.#tools.keys()].join(', ')}`) ??
      mismatch(given, tool!.parameters.schema, 'arguments')
    if (wrong !== undefined) return failed(wrong)
    try {
      const { issues, value } = await tool!.parameters.validate(given)
      if (issues) return failed(issues.map(({ message }) => message).join('; '))
      calling?.(true)
      let running
      try {
        running = tool!.execute!(value as Record<string, unknown>, run)
      } finally {
        calling?.(false)
      }
      const result = await running
      return { content: typeof result === 'string' ? wellFormed(result) : (inJson(result) ?? 'null'), isError: false }
    } catch (thrown) {
      return failed(HeedError.from(thrown).message)
    }
  }
}

/** A tool whose calls must match its parameters; one without parameters takes no arguments. */
const held = ({ name, parameters: { schema } }: KnownTool): CalledTool => ({
  name,
  parameters: (schema ?? { additionalProperties: false }) as CalledTool['parameters'],
})

/** A tool that accepts any arguments. */
const free = ({ name, parameters: { schema } }: KnownTool): CalledTool => ({
  name,
  parameters: {},
  known: shapeOf(new Schemas(schema), schema),
})

/** The names and types in a schema, without restrictions on values of these types. */
function shapeOf(schemas: Schemas, schema: unknown, depth = 0): { readonly [keyword: string]: Json | undefined } {
  if (!isObject(schema) || depth > 10) return {}
  const { properties, items } = schemas.flat(schema)
  const kinds = schemas.kinds(schema)
  const inner = (of: unknown) => shapeOf(schemas, of, depth + 1)
  return {
    ...(isKnown(kinds) && { type: kinds.types }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, of]) => [key, inner(of)])),
    }),
    ...(items !== undefined && { items: inner(items) }),
  }
}

/**
 * A result as JSON in which bigints keep all digits: each is marked with \0, and a string that itself begins with \0 gets another
 * \0 in front.
 */
const inJson = (result: unknown): string | undefined =>
  JSON.stringify(result, (_, part: unknown) =>
    typeof part === 'bigint' || (typeof part === 'string' && part[0] === '\0') ? `\0${part}` : part,
  )?.replace(/"(?:[^"\\]|\\.)*"(:)?/g, (token, colon) =>
    colon ? token : token.replace(/^"\\u0000(?:(-?\d+)"$)?/, (_, digits?: string) => digits ?? '"'),
  )

const failed = (error: string): ToolOutcome => ({ content: JSON.stringify({ error }), isError: true })

/**
 * An id for a call that has none: nine letters and digits, as Mistral's templates require. It depends on the seed and on the length
 * of the conversation, but not on whether the conversation grew in one chat or in several.
 */
export function callId(seed: number, length: number, index: number): string {
  let state = (seed ^ Math.imul(length + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0
  return Array.from({ length: 9 }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39) >>> 0
    return ((state >>> 7) % 36).toString(36)
  }).join('')
}

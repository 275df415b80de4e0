// The tools of a chat: their description for the model, and how they run.
import type { ChatTool, Json } from '../../chat/types.js'
import { HeedError } from '../../wire/errors.js'
import type { ChatToolCall, Tool, ToolRun } from './messages.js'
import { mismatch } from './schema.js'

const refuse = (message: string) => new HeedError('invalid-argument', message)

export interface ToolOutcome {
  readonly content: string
  readonly isError: boolean
}

export class Toolbox {
  /** In OpenAI's format. */
  readonly told: readonly ChatTool[]
  readonly #runs = new Map<string, NonNullable<Tool['execute']>>()
  readonly #parameters = new Map<string, Json | undefined>()

  /** Throws `invalid-argument` if `tools` is not a list of tools. */
  constructor(tools: unknown) {
    if (!Array.isArray(tools)) throw refuse('chat: tools: expected an array')
    this.told = Array.from(tools, (tool: Tool, at) => {
      if (typeof tool !== 'object' || tool === null) throw refuse(`chat: tools: ${at}: expected an object`)
      const { execute, ...rest } = tool
      const told = ('function' in rest ? rest : { type: 'function', function: rest }) as ChatTool
      const name = told.function?.name
      if (typeof name !== 'string' || name === '') throw refuse(`chat: tools: ${at}: expected a name`)
      if (execute !== undefined && typeof execute !== 'function') throw refuse(`chat: tools: ${name}: execute: expected a function`)
      if (this.#parameters.has(name)) throw refuse(`chat: tools: two tools are named ${name}`)
      this.#parameters.set(name, told.function.parameters)
      if (execute) this.#runs.set(name, execute)
      return told
    })
  }

  /** Whether `run` answers the call, with a result or an error; otherwise, running it is up to the caller. */
  answers({ name, error }: ChatToolCall): boolean {
    if (this.#runs.size === 0) return false
    return this.#runs.has(name) || !this.#parameters.has(name) || error !== undefined
  }

  /** Runs a call and returns what the model is told. */
  async run(call: ChatToolCall, run: ToolRun): Promise<ToolOutcome> {
    const { name, arguments: given, error } = call
    const wrong = error
      ?? (this.#parameters.has(name) ? undefined : `unknown tool "${name}"; known: ${[...this.#parameters.keys()].join(', ')}`)
      ?? mismatch(given, this.#parameters.get(name), 'arguments')
    if (wrong !== undefined) return failed(wrong)
    try {
      const result = await this.#runs.get(name)!(given!, run)
      return { content: typeof result === 'string' ? result : JSON.stringify(result) ?? 'null', isError: false }
    } catch (thrown) {
      return failed(thrown instanceof Error ? thrown.message : String(thrown))
    }
  }
}

const failed = (error: string): ToolOutcome => ({ content: JSON.stringify({ error }), isError: true })

/**
 * An id for a call if the model gave none: nine letters and digits, as Mistral's templates require. The same seed gives the same
 * ids, which differ with the length of the conversation, whether it grows in one chat or in several.
 */
export function callId(seed: number, length: number, index: number): string {
  let state = (seed ^ Math.imul(length + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0
  return Array.from({ length: 9 }, () => {
    state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x297a2d39 >>> 0
    return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'[(state >>> 7) % 62]
  }).join('')
}

// The tools of a chat: their description for the model, and how they run.
import type { ChatTool } from '../../chat/types.js'
import { refuse, wellFormed } from '../readers.js'
import type { ChatToolCall, Tool, ToolRun } from './messages.js'
import { type Parameters, parametersOf } from './parameters.js'
import type { ChatWriter } from './request.js'
import { mismatch } from './schema.js'

export interface ToolOutcome {
  readonly content: string
  readonly isError: boolean
}

export class Toolbox {
  /** In OpenAI's format. */
  readonly told: readonly ChatTool[]
  readonly #runs = new Map<string, NonNullable<Tool['execute']>>()
  readonly #parameters = new Map<string, Parameters>()

  /** Throws `invalid-argument` for what is not a tool. */
  constructor(tools: readonly Tool[]) {
    this.told = tools.map((tool, at) => {
      const { execute, ...rest } = tool
      const { function: described, ...wrapper } = 'function' in rest ? rest : { type: 'function' as const, function: rest }
      const name = described?.name
      if (typeof name !== 'string' || name === '') throw refuse(`chat: tools: ${at}: expected a name`)
      if (execute !== undefined && typeof execute !== 'function') throw refuse(`chat: tools: ${name}: execute: expected a function`)
      if (this.#parameters.has(name)) throw refuse(`chat: tools: two are named ${name}`)
      const parameters = parametersOf(name, described.parameters)
      this.#parameters.set(name, parameters)
      if (execute) this.#runs.set(name, execute)
      return { ...wrapper, function: { ...described, parameters: parameters.schema } }
    })
  }

  /** Whether `run` answers the call, with a result or an error; otherwise, running it is up to the caller. */
  answers({ name, error }: ChatToolCall): boolean {
    if (this.#runs.size === 0) return false
    return this.#runs.has(name) || !this.#parameters.has(name) || error !== undefined
  }

  /** Runs a call and returns what the model is told. `calling` is told when the tool's function begins and returns. */
  async run(call: ChatToolCall, run: ToolRun, calling?: ChatWriter['calling']): Promise<ToolOutcome> {
    const { name, arguments: given, error } = call
    const parameters = this.#parameters.get(name)
    const wrong = error
      ?? (parameters ? undefined : `unknown tool "${name}"; known: ${[...this.#parameters.keys()].join(', ')}`)
      ?? mismatch(given, parameters!.schema, 'arguments')
    if (wrong !== undefined) return failed(wrong)
    try {
      const { issues, value } = await parameters!.validate(given)
      if (issues) return failed(issues.map(({ message }) => message).join('; '))
      calling?.(true)
      let running
      try {
        running = this.#runs.get(name)!(value as Record<string, unknown>, run)
      } finally {
        calling?.(false)
      }
      const result = await running
      return { content: typeof result === 'string' ? wellFormed(result) : JSON.stringify(result) ?? 'null', isError: false }
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
    return ((state >>> 7) % 36).toString(36)
  }).join('')
}

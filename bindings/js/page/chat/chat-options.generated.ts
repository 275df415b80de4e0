// Written by tools/contract from api/: the public types of options.
import type { GenerateOptions, ReasoningBudget } from '../../types/options.generated.js'
import type { Token } from '../../types/results.js'
import type { WebAbortSignal } from '../../types/web.js'
import type { Tool } from './messages.js'

export interface ChatOptions extends Omit<GenerateOptions, 'addSpecial' | 'parseSpecial' | 'special' | 'stopAtEnd' | 'maxTokens'> {
  /** Maximum number of tokens of each generation. Default: Infinity, as many as the context has room for. */
  maxTokens?: number
  tools?: readonly Tool[]
  /**
   * - `auto`: the model may call the tools
   * - `none` hides the tools from the model
   * - `required`: the first reply consists of tool calls, after any reasoning, with arguments that match the tools' schemas
   * - `{ name }`: as `required`, but only this tool is called
   *
   * Fails with `unsupported` for a schema that cannot constrain calls. Default: `auto`.
   */
  toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string }
  /**
   * Whether a reply may have several calls. False: at most one, which ends the reply and is constrained to its format and to the
   * tool's `parameters`, as if all tools were `strict`. Default: true.
   */
  parallelToolCalls?: boolean
  /** Maximum number of generations, with tools run in between. At least 1. Default: 8. */
  maxSteps?: number
  /**
   * Ends the chat, with `finishReason: 'abort'`; nothing is thrown. A running chat template is stopped, too, except in
   * `heed/in-thread`, where it ends when its budget is spent: some hundred thousand steps or, on slow machines, two seconds.
   */
  signal?: WebAbortSignal
  /** Whether to reason before the answer, or for how long. A template without reasoning ignores it. Default: the template's own. */
  think?: boolean | ReasoningBudget
  /**
   * Whether to leave out the oldest turns of a conversation that does not fit into the context with room for `maxTokens`, or for
   * a quarter of the context if that is less. More turns are left out than necessary, up to half of those that would fit, so that
   * the next prompts begin like this one and are not read again. System messages, the last message of the user and everything
   * after it stay; calls and their results stay or go together. `trimmedTurns` of the result says how many turns were left out.
   * Default: false, which ends with `context-overflow`.
   */
  trim?: boolean
  /**
   * Whether the model continues the last message, which must be its own. The result has the new part alone. Not with a
   * constraint. Default: false.
   */
  continueFinal?: boolean
  /**
   * A template to use in place of the model's own: the name of another template in the file (`info.chatTemplates`), or Jinja.
   * Text without `{{` or `{%` is a name; `{ jinja }` is always Jinja.
   */
  template?: string | { readonly jinja: string }
  /** Additional variables of the template. */
  variables?: Readonly<Record<string, unknown>>
  /** The current time, for templates that state the date. Default: now. */
  now?: Date | string
  /** Called with each token as it is generated, including markup. */
  onToken?: (token: Token) => void
}

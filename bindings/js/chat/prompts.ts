// Renders prompts and determines a template's capabilities: the part of ChatTemplate that the template worker needs, without
// parsers.
import { refuse } from '../wire/errors.js'
import type { TemplateMessages } from './adapt.js'
import { DataReader } from './data.js'
import { describe, type Replies } from './info.js'
import { Budget, parse as parseTemplate, Text, type Statement, type Value } from './jinja/index.js'
import { jinjaNamed } from './named.js'
import { promptText } from './prompt-text.js'
import { cutAfterFinal, markFinal, renderAdapted, renderExactly, type Job } from './render.js'
import type { ChatInfo, ChatMessage, PromptPart, RenderOptions, TemplateOptions } from './types.js'

/** @internal An option of the constructor: the source is known to be valid. It is only parsed if it is rendered. */
export const parsedElsewhere = Symbol('parsedElsewhere')

/** @internal An option of `render`: JSON arguments of calls become objects, unless the template fails on these. */
export const readsArguments = Symbol('readsArguments')

/** A template without parsers; properties of its replies are passed in. Errors name ChatTemplate, the public class. */
export class PromptTemplate {
  readonly source: string
  #parsed: Statement | undefined
  readonly #tokens: Map<string, Value>
  #described: ChatInfo | undefined
  readonly #replies: Replies | undefined

  /** @internal */
  constructor(source: string, options: TemplateOptions = {}, replies?: Replies) {
    if (typeof source !== 'string') throw refuse('ChatTemplate: expected a string')
    const { bosToken, eosToken, ...unknown } = options
    const [name] = Object.keys(unknown)
    if (name !== undefined) throw refuse(`ChatTemplate has no option "${name}"; its options are bosToken, eosToken`)
    this.source = jinjaNamed(source)
    this.#replies = replies
    if (!(parsedElsewhere in options)) this.#body()
    this.#tokens = new Map()
    for (const [name, variable, token] of [
      ['bosToken', 'bos_token', bosToken],
      ['eosToken', 'eos_token', eosToken],
    ] as const) {
      if (token === undefined || token === null) continue
      if (typeof token !== 'string') throw refuse(`ChatTemplate: ${name}: expected a string`)
      this.#tokens.set(variable, new Text(token))
    }
  }

  #body(): Statement {
    return (this.#parsed ??= parseTemplate(this.source))
  }

  /**
   * The prompt of a conversation, in parts: text from the template is `{ control }`; text from the messages, the tools and the
   * variables is a string, so it never becomes a control token. The joined texts of the parts are the output of transformers'
   * apply_chat_template.
   *
   * Messages that the template does not accept, or does not print, are adapted to it: developer messages, system messages, texts
   * and lists of parts, null content, calls and their arguments as an object or its JSON, reasoning, tools that are None, absent or
   * under another name.
   *
   * The template runs in the thread that calls this, until it has taken some hundred thousand steps, 100 MB or, on slow machines,
   * two seconds; longer messages allow more. A model's template (`model.chatTemplate`) also has `renderAsync`, which renders in
   * another thread.
   *
   * Throws a HeedError: `template` if the template rejects the messages (a TemplateError of kind `raise_exception`, with the
   * template's message), fails, or exceeds its budget (of kind `SecurityError`); `invalid-argument` if the argument is not a list
   * of messages.
   *
   * @example
   * template.render([{ role: 'user', content: 'Hello!' }], { think: false })
   */
  render(messages: readonly ChatMessage[], options: RenderOptions = {}): PromptPart[] {
    return this.#render(messages, options)
  }

  /** Without a budget, the prompt gets one according to its length. */
  #render(messages: readonly ChatMessage[], options: RenderOptions, budget?: Budget): PromptPart[] {
    const {
      addGenerationPrompt,
      continueFinal = false,
      think,
      now = new Date(),
      adapt = true,
      tools,
      documents,
      ...variables
    } = options
    for (const [name, value] of Object.entries({ addGenerationPrompt, continueFinal, think, adapt })) {
      if (value !== undefined && typeof value !== 'boolean') throw refuse(`render: ${name}: expected true or false`)
    }
    if (continueFinal && addGenerationPrompt) throw refuse('render: continueFinal and addGenerationPrompt cannot be used together')
    const reader = new DataReader()
    const read = reader.messages(messages)
    if (continueFinal) markFinal(read)
    const given = (name: 'tools' | 'documents', list: unknown): [typeof name, Value] => {
      if (list !== undefined && list !== null && !Array.isArray(list)) throw refuse(`render: ${name}: expected an array`)
      return [name, Array.isArray(list) && (list.length > 0 || !adapt) ? reader.read(list, `render: ${name}`) : null]
    }
    const conversation: TemplateMessages = {
      messages: read,
      lists: new Map([given('tools', tools), given('documents', documents)]),
    }
    const job: Job = {
      body: this.#body(),
      source: this.source,
      calls: this.#replies?.calls,
      now: readTime(now),
      variables: new Map<string, Value>([
        ...this.#tokens,
        ['add_generation_prompt', addGenerationPrompt ?? !continueFinal],
        ...(think === undefined
          ? []
          : ([
              ['enable_thinking', think],
              ['thinking', think],
            ] as const)),
        ...Object.entries(variables)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => [name, reader.read(value, `render: ${name}`)] as const),
      ]),
      budget: budget ?? new Budget(reader.length),
      readsArguments: readsArguments in options,
    }
    const prompt = (adapt ? renderAdapted : renderExactly)(job, conversation)
    const whole = continueFinal ? cutAfterFinal(prompt) : prompt
    return whole.runs.map(({ value, data }) => (data ? value : { control: value }))
  }

  /**
   * The end of the prompt for these messages, from the start of the model's turn. A parser needs it, because it may open or close
   * the reasoning.
   */
  generationPrompt(messages: readonly ChatMessage[], options: RenderOptions = {}): string {
    const [prompt, before] = [true, false].map(addGenerationPrompt =>
      promptText(this.render(messages, { ...options, addGenerationPrompt })),
    )
    return prompt!.startsWith(before!) ? prompt!.slice(before!.length) : ''
  }

  /**
   * Capabilities of template and model, the format of calls, and the texts that end a turn. Costs at most the budget of one prompt.
   */
  get info(): ChatInfo {
    this.#described ??= this.#describe()
    return this.#described
  }

  #describe(): ChatInfo {
    const budget = new Budget(0) // shared by all prompts: once it is spent, the remaining ones end at their first step
    return describe(
      this.source,
      this.#replies!,
      (messages, options) => this.#render(messages, options, budget),
      (this.#tokens.get('eos_token') as Text | undefined)?.value,
    )
  }

  /** Texts that end the model's turn or call; most are control tokens. */
  get stops(): readonly string[] {
    return this.info.stops
  }
}

function readTime(now: unknown): Date {
  const date = now instanceof Date ? now : typeof now === 'string' ? new Date(now) : undefined
  if (!date || Number.isNaN(date.getTime())) throw refuse('render: now: expected a Date or an ISO date')
  return date
}

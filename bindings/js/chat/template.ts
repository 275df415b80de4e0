// ChatTemplate: renders messages as a prompt, and parses replies into text, reasoning and tool calls.
import type { ReplyParser } from './parser.js'
import { PromptTemplate } from './prompts.js'
import { parserOf, repliesOf } from './replies.js'
import type { ParsedReply, ParseOptions, TemplateOptions } from './types.js'

/**
 * A model's chat template, in Jinja. GGUF files contain it as `tokenizer.chat_template`, or its name, `rwkv-world`.
 *
 * The constructor throws a HeedError: `template` if the source is not a valid template.
 *
 * @example
 * const template = new ChatTemplate(source, { bosToken: '<s>', eosToken: '</s>' })
 * const prompt = template.render([{ role: 'user', content: 'Hello!' }])
 */
export class ChatTemplate extends PromptTemplate {
  constructor(source: string, options: TemplateOptions = {}) {
    super(source, options, repliesOf(String(source)))
  }

  /**
   * Parses a reply as it arrives: `push` returns the events of a delta, `end` the last events, `result` the reply so far.
   *
   * @example
   * const parser = template.parser({ tools, generationPrompt: template.generationPrompt(messages, { tools }) })
   * for await (const { text } of generation) for (const event of parser.push(text)) show(event)
   * parser.end()
   * console.log(parser.result.toolCalls)
   */
  parser(options?: ParseOptions): ReplyParser {
    return parserOf(this.source, options)
  }

  /**
   * Parses a whole reply. If it ends inside a call, that call is not reported, and `incomplete` is true.
   *
   * @example
   * const { content, reasoning, toolCalls } = template.parse(reply, { tools })
   */
  parse(text: string, options: ParseOptions = {}): ParsedReply {
    const parser = this.parser(options)
    parser.push(text)
    parser.end()
    return parser.result
  }
}

// Log-probabilities of tokens, in the shapes of chats and of plain completions.
import type { Model } from '../model.js'
import type { Token } from '../types.js'
import type { CompletionLogprobs, TokenLogprob, TopLogprob } from './types.js'

/** What stands for bytes that make up no whole character. */
const replacement = '\uFFFD'
const encoder = new TextEncoder()

const entry = (token: string, logprob: number): TopLogprob =>
  ({ token, logprob, bytes: token.includes(replacement) ? null : [...encoder.encode(token)] })

/** The log-probabilities of one text. `top`: of how many tokens; undefined where nobody asked. */
export class Logprobs {
  readonly #model: Model
  readonly #top: number | undefined
  readonly #texts = new Map<number, string>()
  #offset: number

  constructor(model: Model, top: number | undefined, offset = 0) {
    this.#model = model
    this.#top = top
    this.#offset = offset
  }

  /** In the shape of chats. */
  async ofChat(tokens: readonly Token[]): Promise<TokenLogprob[]> {
    const entries: TokenLogprob[] = []
    for (const token of tokens) {
      const top = token.alternatives!.slice(0, this.#top).map(({ text, logprob }) => entry(text, logprob))
      entries.push({ ...entry(await this.#textOf(token), token.logprob), top_logprobs: top })
    }
    return entries
  }

  /** In the shape of plain completions. */
  async ofCompletion(tokens: readonly Token[]): Promise<CompletionLogprobs | null> {
    if (this.#top === undefined) return null
    const logprobs: CompletionLogprobs = { tokens: [], token_logprobs: [], top_logprobs: [], text_offset: [] }
    for (const token of tokens) {
      const text = await this.#textOf(token)
      const top = token.alternatives!.slice(0, this.#top).map(({ text, logprob }) => [text, logprob] as const)
      logprobs.tokens.push(text)
      logprobs.token_logprobs.push(token.logprob)
      logprobs.top_logprobs.push(Object.fromEntries([...top, [text, token.logprob]]))
      logprobs.text_offset.push(this.#offset)
      this.#offset += token.text.length
    }
    return logprobs
  }

  /** A token's own text: `text` of a token has what is new, which may be that of several. */
  async #textOf({ id, alternatives }: Token): Promise<string> {
    const known = alternatives!.find(other => other.id === id)?.text ?? this.#texts.get(id)
    if (known !== undefined) return known
    const text = await this.#model.detokenize([id], { special: true })
    this.#texts.set(id, text)
    return text
  }
}

/** How many alternatives the engine is to report: the most probable token is mostly the one that is taken, and names it. */
export const alternativesFor = (top: number | undefined) => top === undefined ? undefined : Math.max(top, 1)

// Log-probabilities of tokens, in the formats of chats and of plain completions.
import type { Model } from '../../page/model.js'
import type { Token } from '../../types/index.js'
import type { CompletionLogprobs, TokenLogprob, TopLogprob } from './types.js'

/** U+FFFD, the decoded form of bytes that are only part of a character. */
const replacement = '\uFFFD'
const encoder = new TextEncoder()

export interface Logprobs {
  /** The log-probabilities of tokens, in the format of chats. */
  ofChat(tokens: readonly Token[]): Promise<TokenLogprob[]>
  /** The log-probabilities of tokens, in the format of plain completions. */
  ofCompletion(tokens: readonly Token[]): Promise<CompletionLogprobs>
}

/** The log-probabilities of a text, with the `top` most probable tokens. Undefined if they were not requested. */
export function logprobsOf(model: Model, top: number | undefined): Logprobs | undefined {
  if (top === undefined) return undefined
  const texts = new Map<number, string>()
  let offset = 0

  /** A token's own text. Its field `text` has the text added by it, which may include bytes of tokens before it. */
  async function textOf({ id, alternatives }: Token): Promise<string> {
    const known = alternatives!.find(other => other.id === id)?.text ?? texts.get(id)
    if (known !== undefined) return known
    const text = await model.detokenize([id], { special: true })
    texts.set(id, text)
    return text
  }

  const entry = async (id: number, token: string, logprob: number): Promise<TopLogprob> => ({
    token,
    logprob,
    bytes: [
      ...(token.includes(replacement) ? await model.detokenize([id], { special: true, bytes: true }) : encoder.encode(token)),
    ],
  })

  return {
    ofChat: tokens =>
      Promise.all(
        tokens.map(async token => ({
          ...(await entry(token.id, await textOf(token), token.logprob)),
          top_logprobs: await Promise.all(
            token.alternatives!.slice(0, top).map(({ id, text, logprob }) => entry(id, text, logprob)),
          ),
        })),
      ),
    async ofCompletion(tokens) {
      const logprobs: CompletionLogprobs = { tokens: [], token_logprobs: [], top_logprobs: [], text_offset: [] }
      for (const token of tokens) {
        const text = await textOf(token)
        const most = token.alternatives!.slice(0, top).map(({ text, logprob }) => [text, logprob] as const)
        logprobs.tokens.push(text)
        logprobs.token_logprobs.push(token.logprob)
        logprobs.top_logprobs.push(Object.fromEntries([...most, [text, token.logprob]]))
        logprobs.text_offset.push(offset)
        offset += token.text.length
      }
      return logprobs
    },
  }
}

/** How many alternatives to request: at least the most probable token, because it is usually the chosen one and has its text. */
export const alternativesFor = (top: number | undefined) => (top === undefined ? undefined : Math.max(top, 1))

// Tokens of prompts, from the engine's worker to the one of templates without a way over the caller's thread.
import { HeedError } from '../wire/errors.js'
import type { TokenizeAnswer, TokenizeRequest, WirePrompt } from '../wire/text.js'

/** Of images, only the sizes count. */
export type Tokenize = (prompt: WirePrompt, addSpecial: boolean) => Promise<number[]>

/** Asks over a port whose other end answers in order. Tells `waiting` whether it waits for that. */
export function tokenizeOver(port: MessagePort, waiting: (waits: boolean) => void): Tokenize {
  const asked: ((answer: TokenizeAnswer) => void)[] = []
  port.onmessage = ({ data }: MessageEvent<TokenizeAnswer>) => {
    asked.shift()!(data)
    if (asked.length === 0) waiting(false)
  }
  return (prompt, addSpecial) =>
    new Promise((resolve, reject) => {
      if (asked.length === 0) waiting(true)
      asked.push(answer => ('ids' in answer ? resolve(answer.ids) : reject(new HeedError(answer.code, answer.message))))
      port.postMessage({ prompt, addSpecial } satisfies TokenizeRequest)
    })
}

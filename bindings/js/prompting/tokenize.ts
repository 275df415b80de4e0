// Tokenizes prompts for the template worker in the engine's worker, without a detour through the caller's thread.
import { HeedError } from '../wire/errors.js'
import type { TokenizeAnswer, TokenizeRequest, WirePrompt } from '../wire/text.js'

/** Tokenizes a prompt; of images and sounds, only the sizes matter. */
export type Tokenize = (prompt: WirePrompt, addSpecial: boolean) => Promise<number[]>

/** Sends requests over a port whose other end answers in order. Calls `waiting` with whether it is waiting for an answer. */
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

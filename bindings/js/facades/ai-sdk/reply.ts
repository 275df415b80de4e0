// Converts a model's reply to the parts of the AI SDK's streams.
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import type { Chat } from '../../page/chat/conversation.js'
import type { ChatResult, ChatStep } from '../../page/chat/messages.js'

type Parts<Result = void> = AsyncGenerator<LanguageModelV4StreamPart, Result>

/** All parts from the first text to `finish`; with `showsRaw`, also our own events. */
export async function* partsOf(chat: Chat, showsRaw: boolean): Parts {
  let open: { readonly type: 'text' | 'reasoning'; readonly id: string } | undefined
  let blocks = 0
  const close = (): LanguageModelV4StreamPart[] => {
    const ended = open
    open = undefined
    return ended ? [{ type: `${ended.type}-end`, id: ended.id }] : []
  }
  for await (const event of chat) {
    if (showsRaw) yield { type: 'raw', rawValue: event }
    switch (event.type) {
      case 'text':
      case 'reasoning':
        if (open?.type !== event.type) {
          yield* close()
          open = { type: event.type, id: String(blocks++) }
          yield { type: `${event.type}-start`, id: open.id }
        }
        yield { type: `${event.type}-delta`, id: open.id, delta: event.delta }
        break
      case 'tool-call-start':
        yield* close()
        yield { type: 'tool-input-start', id: event.id, toolName: event.name }
        break
      case 'tool-call-delta':
        yield { type: 'tool-input-delta', id: event.id, delta: event.delta }
        break
      case 'tool-call':
        yield { type: 'tool-input-end', id: event.id }
        // The SDK detects arguments that are not an object, and tells the model.
        yield { type: 'tool-call', toolCallId: event.id, toolName: event.name, input: event.text }
    }
  }
  yield* close()
  yield finish(await chat)
}

const finish = (result: ChatResult): LanguageModelV4StreamPart => ({
  type: 'finish',
  usage: usageOf(result.steps[0]!),
  finishReason: finishReason(result),
  providerMetadata: metadata(result),
})

const reasons: Record<ChatResult['finishReason'], LanguageModelV4FinishReason['unified']> = {
  stop: 'stop',
  length: 'length',
  context: 'length',
  'tool-calls': 'tool-calls',
  steps: 'other',
  abort: 'other',
}

const finishReason = ({ finishReason, incomplete }: ChatResult): LanguageModelV4FinishReason =>
  incomplete && finishReason === 'stop'
    ? { unified: 'other', raw: 'incomplete-tool-call' }
    : { unified: reasons[finishReason], raw: finishReason }

export const noUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

function usageOf({ generation, reasoningTokens: reasoning }: ChatStep): LanguageModelV4Usage {
  const { promptTokens, reusedTokens, generatedTokens } = generation.timings
  return {
    inputTokens: { total: promptTokens, noCache: promptTokens - reusedTokens, cacheRead: reusedTokens, cacheWrite: undefined },
    outputTokens: { total: generatedTokens, text: generatedTokens - reasoning, reasoning },
    raw: { promptTokens, reusedTokens, generatedTokens },
  }
}

function metadata({ seed, steps: [step] }: ChatResult): SharedV4ProviderMetadata {
  const { timings, tokens } = step!.generation
  const logprobs = tokens.some(token => token.alternatives)
    ? tokens.map(({ id, text, logprob, alternatives = [] }) => ({
        id,
        text,
        logprob,
        alternatives: alternatives.map(one => ({ ...one })),
      }))
    : undefined
  const draftsByPlace = timings.draftsByPlace.map(place => ({ ...place }))
  return { heed: { seed, timings: { ...timings, draftsByPlace }, ...(logprobs && { logprobs }) } }
}

// A language model of the AI SDK: each call is a chat, and the SDK runs its tools.
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider'
import type { Model } from '../../page/model.js'
import { onAbort } from '../../page/on-abort.js'
import { fit } from './abilities.js'
import { supportedUrls, withFiles } from './files.js'
import { type Call, readCall } from './options.js'
import { noUsage, partsOf } from './reply.js'
import { SdkModel } from './sdk-model.js'

/** A generating model, for `streamText`, `generateText` and agents. */
export class HeedLanguageModel extends SdkModel implements LanguageModelV4 {
  readonly provider = 'heed.chat'
  readonly supportedUrls: Record<string, RegExp[]> = supportedUrls

  async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const call = readCall(options)
    const stop = new AbortController()
    const content: LanguageModelV4Content[] = []
    const result: Partial<LanguageModelV4GenerateResult> = {}
    for await (const part of this.#parts(options, call, await this.lazy.ready(options.abortSignal), stop)) {
      switch (part.type) {
        case 'stream-start':
          result.warnings = part.warnings
          break
        case 'response-metadata':
          result.response = { timestamp: part.timestamp, modelId: part.modelId }
          break
        case 'text-start':
          content.push({ type: 'text', text: '' })
          break
        case 'reasoning-start':
          content.push({ type: 'reasoning', text: '' })
          break
        case 'text-delta':
        case 'reasoning-delta':
          ;(content.at(-1) as { text: string }).text += part.delta
          break
        case 'tool-call':
          content.push(part)
          break
        case 'finish':
          Object.assign(result, { usage: part.usage, finishReason: part.finishReason, providerMetadata: part.providerMetadata })
      }
    }
    return { ...(result as LanguageModelV4GenerateResult), content, request: requestOf(call) }
  }

  async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    const call = readCall(options)
    const stop = new AbortController()
    const parts = this.#parts(options, call, await this.lazy.ready(options.abortSignal), stop)
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      async pull(controller) {
        try {
          const { done, value } = await parts.next()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          if (options.abortSignal?.aborted) return controller.error(error)
          controller.enqueue({ type: 'error', error })
          const raw = (error as { code?: string })?.code
          controller.enqueue({ type: 'finish', finishReason: { unified: 'error', raw }, usage: noUsage })
          controller.close()
        }
      },
      async cancel(reason) {
        stop.abort(reason)
        await parts.return(undefined).catch(() => {}) // stops listening to the call's signal
      },
    })
    return { stream, request: requestOf(call) }
  }

  /** The parts of the reply. They end if `stop` is aborted; if the call's own signal is aborted, this throws its reason. */
  async *#parts(
    { abortSignal: signal, includeRawChunks = false }: LanguageModelV4CallOptions,
    call: Call,
    model: Model,
    stop: AbortController,
  ): AsyncGenerator<LanguageModelV4StreamPart> {
    const ended = onAbort(signal, () => stop.abort(signal!.reason))
    try {
      const { options, warnings } = await fit(call, model)
      yield { type: 'stream-start', warnings }
      yield { type: 'response-metadata', timestamp: new Date(), modelId: model.info.name || this.modelId }
      const messages = await withFiles(call.messages, model, stop.signal)
      for await (const part of partsOf(model.chat(messages, { ...options, signal: stop.signal }), includeRawChunks)) {
        signal?.throwIfAborted()
        yield part
      }
    } catch (error) {
      this.lazy.forgetAfter(error, model)
      throw error
    } finally {
      ended()
    }
  }
}

/** The request as reported to the SDK's telemetry. */
const requestOf = ({ messages, options }: Call) => ({ body: { messages, ...options } })

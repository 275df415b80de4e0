// openai(model): a client of OpenAI's shape, which asks a model of Heed's.
import { createChatCompletion } from './chat-completions.js'
import { createCompletion } from './completions.js'
import { directoryOf, type Models } from './directory.js'
import { createEmbeddings } from './embeddings.js'
import type { CompletionStream } from './stream.js'
import type {
  ChatCompletion, ChatCompletionChunk, ChatCompletionCreateParams, Completion, CompletionChunk, CompletionCreateParams,
  CreateEmbeddingResponse, EmbeddingCreateParams, ModelEntry, RequestOptions,
} from './types.js'

/** `create` as it answers: in chunks with `stream: true`, else as a whole. */
interface Create<Params extends { stream?: boolean | null }, Whole, Chunk> {
  (params: Params & { stream: true }, options?: RequestOptions): Promise<CompletionStream<Chunk>>
  (params: Params & { stream?: false | null }, options?: RequestOptions): Promise<Whole>
  (params: Params, options?: RequestOptions): Promise<Whole | CompletionStream<Chunk>>
}

interface Embed {
  (params: EmbeddingCreateParams & { encoding_format?: 'float' | null }, options?: RequestOptions): Promise<CreateEmbeddingResponse>
  (params: EmbeddingCreateParams & { encoding_format: 'base64' }, options?: RequestOptions): Promise<CreateEmbeddingResponse<string>>
}

/** What of OpenAI's client there is. Each call fails with a HeedError, a `ParameterError` where a parameter is wrong. */
export interface OpenAIClient {
  readonly chat: {
    readonly completions: {
      /**
       * Answers a conversation, as `Model.chat` does. A stream's first chunk comes with the first token; leaving a loop over it
       * ends the answer.
       */
      readonly create: Create<ChatCompletionCreateParams, ChatCompletion, ChatCompletionChunk>
    }
  }
  readonly completions: {
    /** Continues texts as they are, as `Model.generate` does. */
    readonly create: Create<CompletionCreateParams, Completion, CompletionChunk>
  }
  readonly embeddings: {
    /** Embeds texts, as `Model.embed` does; vectors have length 1. */
    readonly create: Embed
  }
  readonly models: {
    list(): Promise<{ object: 'list', data: ModelEntry[] }>
  }
}

/**
 * OpenAI's API over a model, in its own shape; or over several by name, such as one that writes and one that embeds:
 *
 *     const client = openai(await loadModel(url))
 *     const { choices } = await client.chat.completions.create({ messages: [{ role: 'user', content: 'Hi!' }] })
 *
 * A parameter that is not honoured is an error that names it. Throws where there is no model.
 */
export function openai(models: Models): OpenAIClient {
  const directory = directoryOf(models)
  type Calls = { [Name in keyof OpenAIClient]: any }  // overloads, which no function of one signature has
  const calls: Calls = {
    chat: { completions: { create: createChatCompletion.bind(null, directory) } },
    completions: { create: createCompletion.bind(null, directory) },
    embeddings: { create: createEmbeddings.bind(null, directory) },
    models: { list: async () => ({ object: 'list', data: directory.entries }) },
  }
  return calls
}

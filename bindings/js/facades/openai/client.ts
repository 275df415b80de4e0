// openai(model): a client with OpenAI's interface that runs a model of Heed.
import { createChatCompletion } from './chat-completions.js'
import { createCompletion } from './completions.js'
import { type Directory, directoryOf, type Models, type Setting } from './directory.js'
import { createEmbeddings } from './embeddings.js'
import { createTranscription } from './transcriptions.js'
import { readClientOptions } from './images.js'
import { type Responses, responsesOf } from './responses/index.js'
import type { CompletionStream } from './stream.js'
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
  ClientOptions,
  Completion,
  CompletionChunk,
  CompletionCreateParams,
  CreateEmbeddingResponse,
  EmbeddingCreateParams,
  ModelEntry,
  RequestOptions,
} from './types.js'
import type { Transcribe } from './transcriptions-types.js'

/** The signatures of `create`: chunks with `stream: true`, otherwise the whole answer. */
interface Create<Params extends { stream?: boolean | null }, Whole, Chunk> {
  (params: Params & { stream: true }, options?: RequestOptions): Promise<CompletionStream<Chunk>>
  (params: Params & { stream?: false | null }, options?: RequestOptions): Promise<Whole>
  (params: Params, options?: RequestOptions): Promise<Whole | CompletionStream<Chunk>>
}

interface Embed {
  (params: EmbeddingCreateParams & { encoding_format?: 'float' | null }, options?: RequestOptions): Promise<CreateEmbeddingResponse>
  (
    params: EmbeddingCreateParams & { encoding_format: 'base64' },
    options?: RequestOptions,
  ): Promise<CreateEmbeddingResponse<string>>
  (params: EmbeddingCreateParams, options?: RequestOptions): Promise<CreateEmbeddingResponse | CreateEmbeddingResponse<string>>
}

/** The supported part of OpenAI's client. Calls fail with a HeedError, a `ParameterError` if a parameter is wrong. */
export interface OpenAIClient {
  readonly chat: {
    readonly completions: {
      /**
       * Answers a conversation, as `Model.chat` does. A stream's first chunk arrives with the first token; leaving a loop over
       * the stream ends the answer.
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
  readonly audio: {
    readonly transcriptions: {
      /** Transcribes a sound, as `Model.transcribe` does. */
      readonly create: Transcribe
    }
  }
  readonly responses: Responses
  readonly models: {
    list(): Promise<{ object: 'list'; data: ModelEntry[] }>
    /** The model that requests with this name use. */
    retrieve(id: string): Promise<ModelEntry>
  }
}

/**
 * OpenAI's API for a model, or for several by name, such as one that generates and one that embeds. An unsupported parameter is
 * an error that names it. Throws if there is no model, or for an unknown option.
 *
 * @example
 * const client = openai(await loadModel(url))
 * const { choices } = await client.chat.completions.create({ messages: [{ role: 'user', content: 'Hi!' }] })
 */
export function openai(models: Models, options?: ClientOptions): OpenAIClient {
  return clientOf(directoryOf(models), readClientOptions(options))
}

/** @internal As `openai`, for models and options that are already checked. */
export function clientOf(directory: Directory, { fetchImages = false, onWarning, ...schemas }: ClientOptions): OpenAIClient {
  const setting: Setting = {
    directory,
    fetchImages,
    schemas,
    warn: (param, problem) => onWarning?.({ param, message: `${param}: ${problem}` }),
  }
  // biome-ignore lint/suspicious/noExplicitAny: no function with one signature matches the overloads
  type Calls = { [Name in keyof OpenAIClient]: any }
  const calls: Calls = {
    chat: { completions: { create: createChatCompletion.bind(null, setting) } },
    completions: { create: createCompletion.bind(null, setting) },
    embeddings: { create: createEmbeddings.bind(null, setting) },
    audio: { transcriptions: { create: createTranscription.bind(null, setting) } },
    responses: responsesOf(setting),
    models: {
      list: async () => ({ object: 'list', data: directory.entries }),
      async retrieve(asked: string) {
        const found = directory.find(asked)
        return directory.entries.find(({ id }) => id === found.id)
      },
    },
  }
  return calls
}

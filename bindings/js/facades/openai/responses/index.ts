// client.responses: OpenAI's Responses API for a model.
import type { Setting } from '../directory.js'
import { ParameterError } from '../errors.js'
import { fields } from '../read.js'
import type { CompletionStream } from '../stream.js'
import type { RequestOptions } from '../types.js'
import { createResponse } from './create.js'
import { keptBy } from './kept.js'
import { ofRetrieving } from './parameters.js'
import type { DeletedResponse, Response, ResponseCreateParams, ResponseStreamEvent } from './types.js'

export interface Responses {
  /**
   * Answers a conversation with items: reasoning, messages, calls of functions. A stream's first event arrives with the first
   * token; leaving a loop over the stream ends the answer. The last 256 responses that were used are kept, unless they have `store:
   * false`, and `previous_response_id` continues one.
   *
   * @example
   * const { output_text, id } = await client.responses.create({ instructions: 'Be brief.', input: 'Where do foxes sleep?' })
   * const next = await client.responses.create({ input: 'And owls?', previous_response_id: id })
   */
  create(
    params: Omit<ResponseCreateParams, 'stream'> & { stream: true },
    options?: RequestOptions,
  ): Promise<CompletionStream<ResponseStreamEvent>>
  create(params: Omit<ResponseCreateParams, 'stream'> & { stream?: false | null }, options?: RequestOptions): Promise<Response>
  create(params: ResponseCreateParams, options?: RequestOptions): Promise<Response | CompletionStream<ResponseStreamEvent>>
  /** A kept response; while it is written in the background, its current state. */
  retrieve(id: string, query?: { stream?: false; include?: readonly string[] } | null): Promise<Response>
  /** Deletes a kept response, and ends it if it runs in the background. Responses that continue it stay. */
  delete(id: string): Promise<DeletedResponse>
  /** Ends a response that runs in the background; a finished one stays unchanged. */
  cancel(id: string): Promise<Response>
}

/** The calls of a client with this setting. */
export function responsesOf(setting: Setting): Responses {
  const kept = keptBy(setting.directory)
  return {
    // biome-ignore lint/suspicious/noExplicitAny: no function with one signature matches the overloads
    create: createResponse.bind(null, setting) as any,
    async retrieve(id, query) {
      fields(ofRetrieving)(query ?? {}, '', setting.warn)
      return kept.find(id, 'response_id').response
    },
    async delete(id) {
      kept.delete(id)
      return { id, object: 'response', deleted: true }
    },
    async cancel(id) {
      const found = kept.find(id, 'response_id')
      if (!found.response.background)
        throw new ParameterError('response_id', 'only responses of `background: true` can be canceled')
      found.stop?.abort()
      return found.response
    },
  }
}

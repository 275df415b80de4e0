// embeddings.create: texts to vectors of length 1.
import type { Setting } from './directory.js'
import { ParameterError } from './errors.js'
import { ignored, integer, oneOf, prompts, readRequest, type Reader, text } from './read.js'
import type { CreateEmbeddingResponse, EmbeddingCreateParams, RequestOptions } from './types.js'

const parameters = {
  input: prompts,
  model: text,
  encoding_format: oneOf('float', 'base64'),
  dimensions: integer(1),
  user: ignored(text),
} satisfies Record<keyof EmbeddingCreateParams, Reader<unknown>>

export async function createEmbeddings(
  { directory }: Setting,
  body: unknown,
  options?: RequestOptions,
): Promise<CreateEmbeddingResponse<number[] | string>> {
  const { input, model: asked, encoding_format: format = 'float', dimensions, signal } = readRequest(parameters, body, options)
  const { id, model } = directory.find(asked)
  if (!input) throw new ParameterError('input', 'missing')
  const vectors = await model.embed(input, { normalize: true, signal, ...(dimensions === undefined ? {} : { dimensions }) })
  const lengths = await Promise.all(
    input.map(async one => (typeof one === 'string' ? (await model.tokenize(one)).length : one.length)),
  )
  const tokens = lengths.reduce((sum, length) => sum + length, 0)
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: format === 'float' ? [...vector] : base64(vector),
    })),
    model: id,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

const base64 = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  btoa(Array.from(new Uint8Array(buffer, byteOffset, byteLength), byte => String.fromCharCode(byte)).join(''))

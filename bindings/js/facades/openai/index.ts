// heed/openai: OpenAI's API for models in the page.
export { openai, type OpenAIClient } from './client.js'
export { heedFetch, type HeedFetch } from './fetch.js'
export { ParameterError, type ErrorBody } from './errors.js'
export { HeedError, type HeedErrorCode } from '../../wire/errors.js'
export type { CompletionStream } from './stream.js'
export type { Models } from './directory.js'
export type * from './types.js'

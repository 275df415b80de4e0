// completions.create: continues texts as they are, whole or in chunks.
import type { Generation } from '../../page/generation.js'
import { mostIndex } from '../../page/readers.js'
import type { GenerateResult } from '../../types/index.js'
import { answer } from './answer.js'
import type { Setting } from './directory.js'
import { ParameterError } from './errors.js'
import { alternativesFor, type Logprobs, logprobsOf } from './logprobs.js'
import { boolean, integer, prompts, readRequest, type Reader, text } from './read.js'
import { generateOptions, limit, sampling, streaming, wantsUsage } from './sampling.js'
import type { CompletionStream } from './stream.js'
import type { Completion, CompletionChunk, CompletionCreateParams, RequestOptions } from './types.js'
import { ofCompletions } from './unread.js'

const parameters = {
  prompt: prompts,
  model: text,
  ...sampling,
  ...streaming,
  echo: boolean,
  logprobs: integer(0, 20),
  max_tokens: (value, param) => limit(value, param) ?? mostIndex, // undefined would mean the default
  ...ofCompletions,
} satisfies Record<keyof CompletionCreateParams, Reader<unknown>>

interface Choice {
  readonly index: number
  /** The prompt, if the text is to include it; otherwise empty. */
  readonly echo: string
  readonly generation: Generation
  readonly logprobs: Logprobs | undefined
}

export async function createCompletion(
  { directory, warn }: Setting,
  body: unknown,
  options?: RequestOptions,
): Promise<Completion | CompletionStream<CompletionChunk>> {
  const request = readRequest(parameters, body, options, warn)
  const { id: name, model } = directory.find(request.model)
  const { prompt, n = 1, echo = false, logprobs, max_tokens: maxTokens = 16 } = request
  const withUsage = wantsUsage(request, warn)
  if (!prompt) throw new ParameterError('prompt', 'missing')
  if (echo && logprobs !== undefined) {
    throw new ParameterError('echo', 'log-probabilities of prompts are not supported', 'unsupported')
  }
  const echoes = await Promise.all(prompt.map(one => (!echo ? '' : typeof one === 'string' ? one : model.detokenize(one))))
  const ways = generateOptions(request, { maxTokens, topLogprobs: alternativesFor(logprobs) })
  return answer<Choice, Completion['choices'][number], CompletionChunk['choices'][number]>({
    prefix: 'cmpl',
    object: 'text_completion',
    chunk: 'text_completion',
    model: name,
    n,
    stream: request.stream === true,
    withUsage,
    signal: request.signal,
    start: signal =>
      prompt.flatMap((one, at) =>
        ways.map(
          (way, choice): Choice => ({
            index: at * n + choice,
            echo: echoes[at]!,
            generation: model.generate(one, { ...way, signal }),
            logprobs: logprobsOf(model, logprobs),
          }),
        ),
      ),
    whole,
    pieces,
    counts: async ({ generation }) => (await generation).timings,
  })
}

async function whole({ index, echo, generation, logprobs }: Choice): Promise<Completion['choices'][number]> {
  const result = await generation
  return {
    index,
    text: echo + result.text,
    logprobs: (await logprobs?.ofCompletion(result.tokens)) ?? null,
    finish_reason: finishReason(result),
  }
}

const finishReason = ({ finishReason }: GenerateResult) => (finishReason === 'stop' ? 'stop' : 'length')

async function* pieces({ index, echo, generation, logprobs }: Choice): AsyncGenerator<CompletionChunk['choices'][number]> {
  let before = echo
  for await (const token of generation) {
    yield { index, text: before + token.text, logprobs: (await logprobs?.ofCompletion([token])) ?? null, finish_reason: null }
    before = ''
  }
  yield { index, text: before, logprobs: null, finish_reason: finishReason(await generation) }
}

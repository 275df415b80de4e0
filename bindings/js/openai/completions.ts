// completions.create: texts that go on, as they are, whole or in chunks.
import type { Generation } from '../generation.js'
import type { GenerateResult } from '../types.js'
import { type Directory, now } from './directory.js'
import { ParameterError } from './errors.js'
import { alternativesFor, Logprobs } from './logprobs.js'
import { boolean, integer, prompts, readRequest, type Reader, text } from './read.js'
import { generateOptions, headOf, sampling, streaming, usageOf, wantsUsage } from './sampling.js'
import { answering, type CompletionStream, merged, openStream } from './stream.js'
import type { Completion, CompletionChunk, CompletionCreateParams, RequestOptions } from './types.js'

const parameters = {
  prompt: prompts,
  model: text,
  ...sampling,
  ...streaming,
  echo: boolean,
  logprobs: integer(0, 20),
  max_tokens: integer(1),
} satisfies Record<keyof CompletionCreateParams, Reader<unknown>>

interface Choice {
  readonly index: number
  /** What the text begins with. */
  readonly echo: string
  readonly generation: Generation
  readonly logprobs: Logprobs
}

export async function createCompletion(
  directory: Directory, body: unknown, options?: RequestOptions,
): Promise<Completion | CompletionStream<CompletionChunk>> {
  const request = readRequest(parameters, body, options)
  const { id: name, model } = directory.find(request.model)
  const { prompt, n = 1, echo = false, logprobs, max_tokens: maxTokens = 16 } = request
  const withUsage = wantsUsage(request)
  if (!prompt) throw new ParameterError('prompt', 'it is missing')
  if (echo && logprobs !== undefined) throw new ParameterError('echo', 'there are no log-probabilities of prompts', 'unsupported')
  const echoes = await Promise.all(prompt.map(one => !echo ? '' : typeof one === 'string' ? one : model.detokenize(one)))
  const ways = generateOptions(request, n, { maxTokens, topLogprobs: alternativesFor(logprobs) })
  return answering(request.signal, async stop => {
    const choices = prompt.flatMap((one, at) => ways.map((way, choice): Choice => ({
      index: at * n + choice,
      echo: echoes[at]!,
      generation: model.generate(one, { ...way, signal: stop.signal }),
      logprobs: new Logprobs(model, logprobs),
    })))
    if (request.stream) return openStream(chunks(choices, n, name, withUsage, stop.signal), stop)
    const head = headOf('cmpl', 'text_completion', now(), name)
    return { ...head, choices: await Promise.all(choices.map(whole)), usage: await usage(choices, n) }
  })
}

async function whole({ index, echo, generation, logprobs }: Choice): Promise<Completion['choices'][number]> {
  const result = await generation
  return { index, text: echo + result.text, logprobs: await logprobs.ofCompletion(result.tokens), finish_reason: finishReason(result) }
}

const finishReason = ({ finishReason }: GenerateResult) => finishReason === 'stop' ? 'stop' : 'length'

async function* chunks(
  choices: readonly Choice[], n: number, model: string, withUsage: boolean, signal: AbortSignal,
): AsyncGenerator<CompletionChunk> {
  const head = headOf('cmpl', 'text_completion', now(), model)
  for await (const choice of merged(choices.map(pieces))) {
    if (signal.aborted) return
    yield { ...head, choices: [choice] }
  }
  if (withUsage && !signal.aborted) yield { ...head, choices: [], usage: await usage(choices, n) }
}

async function* pieces({ index, echo, generation, logprobs }: Choice): AsyncGenerator<CompletionChunk['choices'][number]> {
  let before = echo
  for await (const token of generation) {
    yield { index, text: before + token.text, logprobs: await logprobs.ofCompletion([token]), finish_reason: null }
    before = ''
  }
  yield { index, text: before, logprobs: null, finish_reason: finishReason(await generation) }
}

/** The `n` choices of a prompt read it once. */
async function usage(choices: readonly Choice[], n: number) {
  const timings = (await Promise.all(choices.map(({ generation }) => generation))).map(({ timings }) => timings)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  const ofPrompts = timings.filter((_, at) => at % n === 0)
  const cached = ofPrompts.map((_, at) => Math.min(...timings.slice(at * n, at * n + n).map(one => one.reusedTokens)))
  return usageOf(sum(ofPrompts.map(one => one.promptTokens)), sum(cached), sum(timings.map(one => one.generatedTokens)))
}

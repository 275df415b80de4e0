// responses.create: answers a conversation with items; as a whole, as a stream of events, or in the background.
import type { ChatOptions } from '../../../page/chat/chat-options.generated.js'
import type { Setting } from '../directory.js'
import { thinking } from '../effort.js'
import { ParameterError } from '../errors.js'
import { named, type WithImages, withImages } from '../images.js'
import { formOf } from '../json.js'
import { during } from '../life.js'
import { alternativesFor, logprobsOf } from '../logprobs.js'
import { readRequest } from '../read.js'
import { generateOptions } from '../sampling.js'
import type { CompletionStream } from '../stream.js'
import { offeredTools } from '../tool-choice.js'
import type { RequestOptions } from '../types.js'
import { withNames } from '../conversation.js'
import { eventsOf, failedResponse, orFailure } from './events.js'
import { conversationOf } from './input.js'
import { keptBy, type KeptResponses } from './kept.js'
import { Output } from './output.js'
import { parametersOf } from './parameters.js'
import { begunResponse, type Request, summaryOf, withOutput } from './response.js'
import type { Response, ResponseStreamEvent } from './types.js'

export async function createResponse(
  { directory, fetchImages, schemas, warn }: Setting,
  body: unknown,
  options?: RequestOptions,
): Promise<Response | CompletionStream<ResponseStreamEvent>> {
  const kept = keptBy(directory)
  const request = readRequest(parametersOf(kept), body, options, warn)
  const { id: name, model } = directory.find(request.model)
  const said = saidIn(request, kept)
  const { stream = false, background = false, store = true, signal, include = [], reasoning, instructions } = request
  if (background && (stream || !store)) throw new ParameterError('background', 'needs `store`, and has no stream: `retrieve` it')
  const top = include.includes('message.output_text.logprobs') ? (request.top_logprobs ?? 0) : undefined
  if (request.top_logprobs && top === undefined)
    warn('top_logprobs', 'has no effect without `message.output_text.logprobs` in `include`')
  const tools = offeredTools(request.tools, request.tool_choice)
  const [way] = generateOptions(request, { maxTokens: request.max_output_tokens, topLogprobs: alternativesFor(top) })
  const how: ChatOptions = {
    ...way,
    ...(await formOf(model, request.text?.format, request, schemas, 'text.format')),
    tools: request.tools && tools,
    toolChoice: request.tool_choice?.choice,
    parallelToolCalls: request.parallel_tool_calls,
    trim: request.truncation === 'auto',
    ...(await thinking(model, reasoning?.effort, request.chat_template_kwargs, 'reasoning.effort', warn)),
  }
  const conversation = await withImages(said, model.info, fetchImages, signal)
  const system = instructions === undefined ? [] : [{ role: 'system' as const, content: instructions }]
  const output = new Output(summaryOf(request) !== undefined, logprobsOf(model, top))
  const response = begunResponse(request, name)
  const end = (ended: Response) => {
    if (!store) return
    kept.keep({ response: ended, messages: withNames([...conversation.messages, ...conversationOf(ended.output, 'output', kept)]) })
  }
  const begin = (stop: AbortSignal) =>
    eventsOf(model.chat([...system, ...conversation.messages], { ...how, signal: stop }), response, output, stop, end)
  if (background) return inBackground(begin, response, output, conversation, kept)
  return during(signal, stream, stop => {
    const events = begin(stop)
    return { chunks: orFailure(events, output, stop), whole: () => lastOf(events) }
  }).catch(error => {
    throw named(error, conversation)
  })
}

/** The conversation that a request continues. */
function saidIn({ input = [], previous_response_id: id }: Request, kept: KeptResponses) {
  const before = id === undefined ? undefined : kept.find(id, 'previous_response_id')
  if (before && !before.messages) throw new ParameterError('previous_response_id', `the response is ${before.response.status}`)
  const said = withNames([...(before?.messages ?? []), ...input])
  if (said.length === 0) throw new ParameterError('input', 'missing')
  return said
}

/** The response in the last event; undefined after an abort, when nobody awaits it. */
async function lastOf(events: AsyncGenerator<ResponseStreamEvent>): Promise<Response> {
  let last: Partial<{ response: Response }> = {}
  for await (const event of events) last = event as typeof last
  return last.response!
}

/** Keeps the response while it is written, so that `retrieve` returns its current state. */
function inBackground(
  begin: (stop: AbortSignal) => AsyncGenerator<ResponseStreamEvent>,
  response: Response,
  output: Output,
  conversation: WithImages,
  kept: KeptResponses,
): Response {
  const stop = new AbortController()
  const now = (): Response =>
    stop.signal.aborted ? { ...withOutput(response, output), status: 'cancelled' } : withOutput(response, output)
  kept.keep({
    get response() {
      return now()
    },
    stop,
  })
  lastOf(begin(stop.signal)).catch(error => {
    if (!stop.signal.aborted) kept.keep({ response: failedResponse(response, output, named(error, conversation)) })
  })
  return response
}

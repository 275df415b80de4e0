// The AI SDK's providers for OpenAI, with responses by default and with chat completions, and for servers like it.
import { baseURL, city, clientTest, place } from './support.mjs'

const ofProvider =
  (make, name, settings, more = {}) =>
  async ({ load, fetch }) => {
    const { generateText, isStepCount, jsonSchema, Output, streamText, tool } = await load('ai')
    const languageModel = await make(load, fetch)
    const asked = (model, content) => ({
      model: languageModel(model),
      messages: [{ role: 'user', content }],
      temperature: 0,
      maxRetries: 0,
    })
    const withTools = run => ({
      tools: { weather: tool({ description: 'Tells the weather.', inputSchema: jsonSchema(city), execute: run }) },
      stopWhen: isStepCount(3),
    })
    return {
      ask: async (model, text) => (await generateText(asked(model, text))).text,
      stream: (model, text, abortSignal) => streamText({ ...asked(model, text), abortSignal }).textStream,
      call: async (model, text, run) => (await generateText({ ...asked(model, text), ...withTools(run) })).text,
      callStreaming: (model, text, run) => streamText({ ...asked(model, text), ...withTools(run) }).text,
      fill: async (model, text) =>
        (await generateText({ ...asked(model, text), output: Output.object({ schema: jsonSchema(place), name: 'place' }) })).output,
      every: async () =>
        (
          await generateText({
            ...asked('chat', 'Hi'),
            topP: 1,
            presencePenalty: 0,
            frequencyPenalty: 0,
            ...more,
            maxOutputTokens: 100,
            reasoning: 'low',
            providerOptions: { [name]: settings },
          })
        ).text,
      see: async (model, text, url) =>
        (
          await generateText(
            asked(model, [
              { type: 'text', text },
              { type: 'file', mediaType: 'image/png', data: url },
            ]),
          )
        ).text,
    }
  }

const ofChats = { seed: -1, stopSequences: ['xyz'] }

clientTest(
  '@ai-sdk/openai',
  { ai: '7.0.173', '@ai-sdk/openai': '4.0.118' },
  ofProvider(
    async (load, fetch) => {
      const { createOpenAI } = await load('@ai-sdk/openai')
      return createOpenAI({ apiKey: 'none', baseURL, fetch }).chat
    },
    'openai',
    {
      user: 'me',
      store: true,
      metadata: { a: 'b' },
      serviceTier: 'flex',
      promptCacheKey: 'a',
      promptCacheRetention: '24h',
      safetyIdentifier: 'me',
      textVerbosity: 'low',
      logprobs: 1,
      logitBias: {},
      parallelToolCalls: true,
      prediction: { type: 'content', content: 'x' },
      reasoningEffort: 'low',
      strictJsonSchema: true,
      systemMessageMode: 'developer',
    },
    ofChats,
  ),
  {
    api: 'chat completions',
    sends:
      'frequency_penalty logit_bias logprobs max_tokens messages metadata model parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_retention reasoning_effort response_format safety_identifier seed stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity',
    messages: 'content role tool_call_id tool_calls',
    warned: 'prediction reasoning_effort store verbosity',
  },
)

clientTest(
  '@ai-sdk/openai',
  { ai: '7.0.173', '@ai-sdk/openai': '4.0.118' },
  ofProvider(
    async (load, fetch) => {
      const { createOpenAI } = await load('@ai-sdk/openai')
      return createOpenAI({ apiKey: 'none', baseURL, fetch })
    },
    'openai',
    {
      user: 'me',
      store: true,
      metadata: { a: 'b' },
      serviceTier: 'flex',
      promptCacheKey: 'a',
      promptCacheRetention: '24h',
      safetyIdentifier: 'me',
      textVerbosity: 'low',
      logprobs: 1,
      parallelToolCalls: true,
      reasoningSummary: 'auto',
      reasoningEffort: 'low',
      forceReasoning: true,
      truncation: 'auto',
      include: ['reasoning.encrypted_content'],
      maxToolCalls: 3,
    },
  ),
  {
    api: 'responses',
    sends:
      'include input max_output_tokens max_tool_calls metadata model parallel_tool_calls prompt_cache_key prompt_cache_retention reasoning safety_identifier store stream temperature text tool_choice tools top_logprobs truncation user',
    messages: 'arguments call_id content id name output role type',
    warned: 'reasoning.effort text.verbosity',
  },
)

clientTest(
  '@ai-sdk/openai-compatible',
  { ai: '7.0.173', '@ai-sdk/openai-compatible': '3.0.92' },
  ofProvider(
    async (load, fetch) => {
      const { createOpenAICompatible } = await load('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ name: 'heed', baseURL, fetch, supportsStructuredOutputs: true, includeUsage: true })
    },
    'heed',
    { user: 'me', reasoningEffort: 'low', textVerbosity: 'low' },
    ofChats,
  ),
  {
    sends:
      'frequency_penalty max_tokens messages model presence_penalty reasoning_effort response_format seed stop stream stream_options temperature tool_choice tools top_p user verbosity',
    messages: 'content role tool_call_id tool_calls',
    warned: 'reasoning_effort verbosity',
  },
)

// xsAI, which only uses `fetch`.
import { baseURL, city, clientTest } from './support.mjs'

clientTest(
  'xsai',
  { xsai: '0.4.4', zod: '4.6.7' },
  async ({ load, fetch }) => {
    const { generateObject, generateText, rawTool, streamText } = await load('xsai')
    const { z } = await load('zod')
    const asked = (model, content) => ({
      apiKey: 'none',
      baseURL,
      fetch,
      model,
      messages: [{ role: 'user', content }],
      temperature: 0,
    })
    const tools = run => [rawTool({ name: 'weather', description: 'Tells the weather.', parameters: city, execute: run })]
    const lastOf = async stream => (await stream.steps).at(-1).text
    return {
      ask: async (model, text) => (await generateText(asked(model, text))).text,
      stream(model, text, abortSignal) {
        const { textStream, ...rest } = streamText({ ...asked(model, text), abortSignal })
        for (const other of Object.values(rest)) if (other instanceof Promise) other.catch(() => {})
        return textStream
      },
      call: async (model, text, run) => (await generateText({ ...asked(model, text), tools: tools(run), maxSteps: 3 })).text,
      callStreaming: (model, text, run) => lastOf(streamText({ ...asked(model, text), tools: tools(run), maxSteps: 3 })),
      fill: async (model, text) =>
        (
          await generateObject({
            ...asked(model, text),
            schema: z.object({ city: z.string(), cold: z.boolean() }),
            schemaName: 'place',
          })
        ).object,
      see: async (model, text, url) =>
        (
          await generateText(
            asked(model, [
              { type: 'text', text },
              { type: 'image_url', image_url: { url } },
            ]),
          )
        ).text,
    }
  },
  {
    sends: 'messages model response_format stream temperature tools',
    messages: 'content refusal role tool_call_id tool_calls',
  },
)

// Harmony, the format of gpt-oss: a reply is several messages, each in a channel, and a call is a message to a function:
// <|channel|>commentary to=functions.clock <|constrain|>json<|message|>{}<|call|>
// https://cookbook.openai.com/articles/openai-harmony
import type { Context, Format } from './format.js'
import { Unfinished, type Parsing } from './reader.js'

const ends = ['<|end|>', '<|return|>', '<|call|>', '<|start|>']

/** Reads one message, up to its end marker. */
function* readMessage({ reader, reply }: Context, begun: string): Parsing {
  let header = begun
  if (!header.endsWith('<|message|>')) {
    const marker = yield* reader.until(['<|message|>', ...ends], text => {
      header += text
    })
    if (marker !== '<|message|>') {
      // Without a channel this is not a header, but text from a model that does not follow the format.
      if (/to=/.test(header) && header.includes('<|channel|>')) throw new Unfinished()
      if (!header.includes('<|channel|>')) reply.text(header.replace(/^.*<\|start\|>\w*/, ''))
      return
    }
  }
  const recipient = /\bto=([^\s<]+)/.exec(header)?.[1]
  const channel = /<\|channel\|>\s*(\w+)/.exec(header)?.[1]
  if (recipient === undefined || recipient === 'user') {
    // Thoughts that are not closed end where the next message begins.
    const isThought = channel === 'analysis'
    const marker = yield* reader.until(isThought ? [...ends, '<|channel|>'] : ends, text =>
      isThought ? reply.reasoning(text) : reply.text(text),
    )
    if (marker === '<|channel|>') reader.at -= marker.length
    reply.markup()
    return
  }
  reply.start(recipient.replace(/^functions\./, ''))
  let text = ''
  const marker = yield* reader.until(ends, more => {
    text += more
    reply.delta(more)
  })
  if (marker === '') {
    try {
      JSON.parse(text)
    } catch {
      throw new Unfinished()
    }
  }
  reply.finish()
}

export const harmony: Format = {
  isIn: source => source.includes('<|channel|>') && source.includes('<|message|>'),
  open: [],
  inner: ['<|message|>', '<|channel|>', ...ends],
  *call() {},
  stops: ['<|return|>', '<|call|>'],
  hasMessages: true,
  *whole(context) {
    const { generationPrompt, reader } = context
    yield* readMessage(context, generationPrompt.slice(Math.max(0, generationPrompt.lastIndexOf('<|start|>'))))
    while ((yield* reader.peek()) !== '') {
      yield* reader.take('<|start|>')
      yield* readMessage(context, '')
    }
    return true
  },
}

// The tasks whose result is a text: Summarizer, Writer, Rewriter and Translator.
import { type Choices, callOf, chosen, contextOf, required, toldOf } from './options.js'
import { type Asked, rewriting, summary, type Told, translation, writing } from './sentences.js'
import { type Kind, type Over, type Task, taskOver } from './task.js'

interface Writing<Settings extends object> extends Omit<Kind<Settings>, 'methods' | 'chat'> {
  readonly method: string
  /** A result that needs no model; undefined if the model is needed. */
  readonly itself: (text: string, settings: Settings) => string | undefined
  readonly temperature: number
  /** Whether to reason; undefined if it does not matter. */
  readonly thinks?: (settings: Settings) => boolean | undefined
}

/** Creates the class of a task, with a method that returns the whole text and one that streams it. */
function writingOver<Settings extends object>(over: Over, { method, itself, temperature, thinks, ...kind }: Writing<Settings>) {
  /** Checks a call. */
  function called({ settings, asker, lifetime }: Task<Settings>, input: unknown, options: unknown) {
    const { text, given, signal } = callOf(input, options)
    const asked = kind.ask(settings, text, given)
    const own = itself(text, settings)
    const write = (signal: AbortSignal | undefined, put: (delta: string) => void) =>
      lifetime.run(signal, async stop => {
        if (own === undefined) await asker.answer(asked, stop, put)
        else if (own !== '') put(own)
      })
    return { signal, write }
  }

  return taskOver(over, {
    ...kind,
    chat: settings => {
      const think = thinks?.(settings)
      return { asks: { temperature, think: false }, insists: think === undefined ? {} : { think } }
    },
    methods: {
      [method]: async (task, input, options) => {
        const { signal, write } = called(task, input, options)
        let written = ''
        await write(signal, delta => {
          written += delta
        })
        return written
      },
      [`${method}Streaming`]: (task, input, options) => {
        const { signal, write } = called(task, input, options)
        return task.lifetime.stream(signal, write)
      },
    },
  })
}

const isBlank = (text: string) => /^[\s\p{Cc}]*$/u.test(text)

/** Creates the class of a task that takes contexts, and options with enumerated values. */
function withContexts<Of extends Choices>(
  over: Over,
  choices: Of,
  ask: (told: Told & { readonly [Name in keyof Of]: Of[Name][number] }, text: string, context: string) => Asked,
  rest: Pick<
    Writing<Told & { readonly [Name in keyof Of]: Of[Name][number] }>,
    'name' | 'method' | 'itself' | 'temperature' | 'thinks' | 'share'
  >,
) {
  type Settings = Told & { readonly [Name in keyof Of]: Of[Name][number] }
  const attributes = [
    ...Object.keys(choices),
    'sharedContext',
    'expectedInputLanguages',
    'expectedContextLanguages',
    'outputLanguage',
  ] as (keyof Settings & string)[]
  return writingOver<Settings>(over, {
    ...rest,
    read: given => ({ ...chosen(choices, given), ...toldOf(given) }),
    attributes,
    languages: ({ expectedInputLanguages: inputs, expectedContextLanguages: contexts, outputLanguage }) => [
      ...(inputs ?? []),
      ...(contexts ?? []),
      outputLanguage,
    ],
    ask: (settings, text, options) => ask(settings, text, contextOf(options)),
  })
}

const format = ['markdown', 'plain-text'] as const
const length = ['short', 'medium', 'long'] as const

const summarizing = {
  type: ['key-points', 'tldr', 'teaser', 'headline'],
  format,
  length,
  preference: ['auto', 'speed', 'capability'],
} as const

export const summarizerOver = (over: Over) =>
  withContexts(over, summarizing, summary, {
    name: 'Summarizer',
    method: 'summarize',
    itself: text => (isBlank(text) ? '' : undefined),
    temperature: 0.3,
    thinks: ({ preference }) => (preference === 'auto' ? undefined : preference === 'capability'),
    share: 3 / 4,
  })

export const writerOver = (over: Over) =>
  withContexts(over, { tone: ['neutral', 'formal', 'casual'], format, length } as const, writing, {
    name: 'Writer',
    method: 'write',
    itself: text => (text === '' ? '' : undefined),
    temperature: 0.8,
    share: 1 / 2,
  })

const rewritten = {
  tone: ['as-is', 'more-formal', 'more-casual'],
  format: ['as-is', 'plain-text', 'markdown'],
  length: ['as-is', 'shorter', 'longer'],
} as const

export const rewriterOver = (over: Over) =>
  withContexts(over, rewritten, rewriting, {
    name: 'Rewriter',
    method: 'rewrite',
    itself: text => (text === '' ? '' : undefined),
    temperature: 0.3,
    share: 1 / 2,
  })

/** Whether one language is a variety of the other, such as `en-GB` of `en`. */
const isVariety = (one: string, other: string) => `${one}-`.startsWith(`${other}-`) || `${other}-`.startsWith(`${one}-`)

export const translatorOver = (over: Over) =>
  writingOver(over, {
    name: 'Translator',
    method: 'translate',
    read: given => ({
      sourceLanguage: required('sourceLanguage', given),
      targetLanguage: required('targetLanguage', given),
    }),
    attributes: ['sourceLanguage', 'targetLanguage'],
    languages: ({ sourceLanguage, targetLanguage }) =>
      isVariety(sourceLanguage, targetLanguage) ? [] : [sourceLanguage, targetLanguage],
    itself: (text, { sourceLanguage, targetLanguage }) =>
      isBlank(text) || isVariety(sourceLanguage, targetLanguage) ? text : undefined,
    temperature: 0,
    share: 1 / 2,
    ask: ({ sourceLanguage, targetLanguage }, text) => translation(sourceLanguage, targetLanguage, text),
  })

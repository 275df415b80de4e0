// Writes with a model of masked diffusion (ModelInfo.maskToken): all places of the text begin as masks, and each pass of the engine
// unmasks those that the model is most certain of (src/runtime/unmasking.hpp), block by block from the beginning.
import type { NamedToken, UnmaskedToken } from '../../types/index.js'
import { HeedError } from '../../wire/errors.js'
import type { Call, WireToken } from '../../wire/protocol.js'
import { noTimings } from '../../wire/timings.js'
import { checkGoesOn, type Handler, runPass } from '../host.js'
import { hasMedia, idsOf, tooLong } from '../handlers/tokens.js'

type GenerateCall = Extract<Call, { type: 'generate' }>

/** The number of places that are unmasked together. */
const block = 32
const usualTokens = 256

/** Throws `unsupported`, naming an option that needs a text written from left to right. */
function checkOptions({ prompt, constraint, options }: GenerateCall): void {
  const { adapters, edits, attention, contextShift, reasoning, topLogprobs } = options
  const asked = {
    constraint,
    adapters,
    edits: edits?.length ? edits : undefined,
    attention,
    contextShift,
    reasoning,
    topLogprobs: topLogprobs || undefined,
    images: hasMedia(prompt) || undefined,
  }
  const [option] = Object.entries(asked).find(([, value]) => value !== undefined) ?? []
  if (option) throw new HeedError('unsupported', `generate: a model that writes by unmasking has no ${option}`)
}

/** Posts the tokens before the first remaining mask, in order, and finds the end of the text. */
class Written {
  count = 0
  ended = false
  endToken?: NamedToken
  readonly #text: (ids: readonly number[]) => string
  readonly #post: (token: WireToken) => void
  readonly #stops: readonly (string | number)[]
  readonly #ids: number[] = []
  #last?: WireToken
  #shown = 0 // number of characters of the text that have been posted

  constructor(
    text: (ids: readonly number[]) => string,
    post: (token: WireToken) => void,
    stops: readonly (string | number)[] | undefined,
  ) {
    this.#text = text
    this.#post = post
    this.#stops = stops ?? []
  }

  /** Adds the next token; `ends`: whether it ends a text. */
  add(id: number, logprob: number, ends: boolean): void {
    if (ends || this.#stops.includes(id)) {
      this.ended = true
      this.endToken = { id, text: this.#text([id]) }
      return
    }
    this.#postLast()
    this.#ids.push(id)
    this.count++
    const text = this.#text(this.#ids)
    const stops = this.#stops.filter(stop => typeof stop === 'string')
    const found = stops.map(stop => text.indexOf(stop, Math.max(0, this.#shown - stop.length))).filter(at => at >= 0)
    this.ended = found.length > 0
    const held = Math.max(0, ...stops.map(stop => heldFor(text, stop)))
    const whole = text.endsWith('\uFFFD') ? text.length - 1 : text.length // a character's other bytes are in the next token
    const end = this.ended ? Math.min(...found) : Math.max(this.#shown, Math.min(whole, text.length - held))
    this.#last = { id, text: text.slice(this.#shown, end), logprob, alternatives: [] } as WireToken
    this.#shown = end
  }

  /** Posts what was held back as the possible beginning of a stop string or of a character. */
  finish(): void {
    const byStop = this.ended && !this.endToken
    if (this.#last && !byStop) this.#last = { ...this.#last, text: this.#last.text + this.#text(this.#ids).slice(this.#shown) }
    this.#postLast()
  }

  #postLast(): void {
    if (this.#last) this.#post(this.#last)
    this.#last = undefined
  }
}

/** How many characters at a text's end may be the beginning of a stop string. */
function heldFor(text: string, stop: string): number {
  let length = Math.min(text.length, stop.length - 1)
  while (length > 0 && !text.endsWith(stop.slice(0, length))) length--
  return length
}

/** Runs between other calls, a pass at a time. Throws `aborted`. */
export const unmask: Handler<'generate'> = (host, state, call) =>
  host.reading.run(async () => {
    checkGoesOn(state)
    checkOptions(call)
    const { engine, post } = host
    const { options } = call
    const { maxTokens = usualTokens, stopAtEnd = true, special = false } = options
    const { contextLength, maskToken } = host.info
    const mask = maskToken!.id
    const prompt = idsOf(engine, call.prompt, options)
    if (prompt.length >= contextLength) throw tooLong(prompt.length, contextLength)
    const room = Math.min(maxTokens, contextLength - prompt.length)
    const ids: number[] = [...prompt, ...new Array<number>(room).fill(mask)]
    const found = new Map<number, readonly [logprob: number, ends: boolean]>()
    const textOf = (list: readonly number[]) => engine.detokenize(list, special, false)
    /** The text of a token inside a text; at the beginning of a text, a vocabulary may omit the leading space. */
    const within = (token: number) => textOf([token, token]).slice(textOf([token]).length)
    const text = new Written(textOf, token => post({ type: 'token', id: state.id, token }), options.stop)
    const started = performance.now()
    let passes = 0
    for (let at = prompt.length; at < ids.length && !text.ended; ) {
      const end = Math.min(ids.length, prompt.length + Math.ceil((at - prompt.length + 1) / block) * block)
      const asked = { ...options, seed: (options.seed + passes++) % 2 ** 53 } // each pass draws anew
      const flat = await runPass(host, state, () => engine.unmask(ids, at, end, asked))
      const tokens: UnmaskedToken[] = []
      for (let i = 0; i < flat.length; i += 4) {
        const [position, id, logprob, ends] = flat.subarray(i, i + 4) as unknown as [number, number, number, number]
        ids[position] = id
        found.set(position, [logprob, ends === 1 && stopAtEnd])
        tokens.push({ place: position - prompt.length, id, text: within(id), logprob })
      }
      post({ type: 'unmasked', id: state.id, step: { places: room, end: end - prompt.length, tokens } })
      for (; at < end && ids[at] !== mask && !text.ended; at++) text.add(ids[at]!, ...found.get(at)!)
    }
    text.finish()
    const milliseconds = performance.now() - started
    return {
      finishReason: text.ended ? 'stop' : room < maxTokens ? 'context' : 'length',
      endToken: text.endToken,
      timings: {
        ...noTimings,
        promptTokens: prompt.length,
        generatedTokens: text.count,
        decodeMs: milliseconds,
        decodeTokensPerSecond: milliseconds > 0 ? (1000 * text.count) / milliseconds : 0,
      },
    }
  })

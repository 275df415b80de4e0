// What counts as right where the model is tried on what people wrote (wordings.mjs, real-tools.mjs): the arguments of a call, what is told of
// a result, a story, a first message that leads somewhere; and how many of a set were right.
import { appendFileSync, rmSync } from 'node:fs'

/** Arguments without spaces in expressions, and without those that the tool's definition calls the default. */
function normal(given, tool) {
  const { properties } = tool.parameters
  return JSON.stringify(
    Object.entries(given ?? {})
      .filter(([name, value]) => !properties[name]?.description?.includes(`Default: ${value}.`))
      .map(([name, value]) => [name, typeof value === 'string' ? value.replace(/\s/g, '') : value])
      .toSorted(),
  )
}

/** Whether an expression is another one in other words: of the same numbers, and of the same value. */
function alike(one, other, calculate) {
  const numbers = text =>
    text
      .match(/\d+(\.\d+)?/g)
      ?.toSorted()
      .join()
  try {
    return numbers(one) === numbers(other) && calculate.execute({ expression: one }) === calculate.execute({ expression: other })
  } catch {
    return false
  }
}

/** Whether a tool takes a time zone for another one: some take `Asia/New_York` for America/New_York. */
function sameZone(one, other, clock) {
  const zoneOf = zone => clock.execute({ time_zone: zone }).time_zone
  try {
    return zoneOf(one) === zoneOf(other)
  } catch {
    return false
  }
}

/** Whether a call has these arguments, or one of the others that are right, too. */
export const calledRightly = (given, wanted, tool) =>
  wanted.some(
    one =>
      normal(given, tool) === normal(one, tool) ||
      (one.expression && typeof given?.expression === 'string' && alike(given.expression, one.expression, tool)) ||
      (one.time_zone && typeof given?.time_zone === 'string' && sameZone(given.time_zone, one.time_zone, tool)),
  )

/** Whether the reply contains the tool's result in words. */
export function told(text, content, asked) {
  if (text.includes('<tool_call>') || text.length === 0) return false
  const result = JSON.parse(content)
  const has = word => new RegExp(`(?<![\\w.-])${word}(?![\\w]|\\.\\d)`).test(text)
  if (result.error !== undefined) {
    const words = result.error.match(/[\w/]+/g)
    return /\b(not|wrong|sorry|cannot|error|no)\b/i.test(text) && words.filter(has).length >= words.length * 0.6
  }
  if (result.time !== undefined) {
    const [, weekday, day, month, year, clock] = /(\w+),? (\d+) (\w+) (\d+) at (\d+:\d+)/.exec(result.time)
    if (/date and time/i.test(asked)) return has(clock) && has(month) && has(day)
    if (/year/i.test(asked)) return has(year)
    if (/month/i.test(asked)) return has(month)
    if (/monday|day of the week|what day/i.test(asked)) return has(weekday)
    return /date/i.test(asked) ? has(day) && has(month) : has(clock)
  }
  const known = typeof result === 'number' ? [result] : [...result.rolls, result.total]
  const said = (text.match(/-?\d+(\.\d+)?/g) ?? []).map(Number)
  const close = (a, b) => Math.abs(a - b) <= Math.max(2e-4, Math.abs(b) * 1e-3)
  return (
    said.some(number => close(number, result.total ?? result)) &&
    said.every(number => known.some(one => close(number, one)) || asked.includes(String(number)) || number === result.rolls?.length)
  )
}

const sentences = text => text.split(/(?<=[.!?])["”]?\s+/).filter(Boolean)
export const repeats = text => new Set(sentences(text)).size < sentences(text).length
/** Whether one of the words "a|b" is in the text. */
export const includes = (text, words) => words.split('|').some(word => new RegExp(`(?<!\\w)${word}(?!\\w)`, 'i').test(text))
export const isStory = text => sentences(text).length >= 3 && !repeats(text) && !text.includes('I tell')
export const refusal = /I do not know that|outside my stories|I only (tell|know)|no tool|None of my/

/**
 * Whether a reply to a first message leads somewhere: `right` says whether it has the expected content, and `offered` whether it
 * offers the words of a story.
 */
export function leadsSomewhere(text, kind, { has = [], leads, story }, offered = []) {
  return (
    text.length > 0 &&
    !repeats(text) &&
    !/<tool_call>|^That is /.test(text) &&
    has.every(words => includes(text, words)) &&
    (!leads || includes(text, 'story|stories|shall|would you|ask|tell me')) &&
    (!story || (isStory(text) && offered.every(word => includes(text, word)))) &&
    (kind === 'honest' || kind === 'noise' || !/I do not know that|outside my stories/.test(text))
  )
}

export class Figures {
  #of = new Map()
  #lines
  constructor(lines) {
    this.#lines = lines
    if (lines) rmSync(lines, { force: true })
  }
  /** `what`: {name: whether it holds}. */
  add(set, asked, written, what) {
    const figures = this.#of.get(set) ?? this.#of.set(set, {}).get(set)
    for (const [name, holds] of Object.entries(what)) {
      const share = (figures[name] ??= [0, 0])
      share[0] += holds
      share[1]++
    }
    if (this.#lines) appendFileSync(this.#lines, `${JSON.stringify({ set, asked, written, ...what })}\n`)
  }
  print() {
    for (const [set, figures] of this.#of) {
      console.log(
        `${set}: ${Object.entries(figures)
          .map(([name, [held, count]]) => `${name} ${held}/${count}`)
          .join(', ')}`,
      )
    }
  }
}

// Jinja's filters that write texts: for HTML, addresses, lines and sizes.
import { needInteger, needText } from './arguments.js'
import { copy, read } from './budget.js'
import { TemplateError } from './error.js'
import type { Filter, FilterHost } from './filter.js'
import { fixed } from './format.js'
import { linesOf } from './methods.js'
import { Text } from './text.js'
import { Dict, isNumber, isTrue, iterate, Undefined, type Value } from './values.js'

const htmlEscapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&#34;' }
const escaped = (value: Text) => value.mapRuns(run => run.replace(/[&<>'"]/g, character => htmlEscapes[character]!), 6)
const escape: Filter = [[], (value, _, host) => escaped(host.text(value))]

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\xa0' }
const unescaped = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));?/gi, (whole, decimal?: string, hex?: string, name = '') => {
    const code = decimal !== undefined ? Number(decimal) : hex !== undefined ? parseInt(hex, 16) : undefined
    return code === undefined ? (entities[name] ?? whole) : code > 0x10ffff ? whole : String.fromCodePoint(code)
  })

/** Percent-encodes a text's UTF-8 bytes, except for unreserved characters and those in `kept`. */
const quoted = (text: Text, kept: string) =>
  text.mapRuns(
    run =>
      Array.from(new TextEncoder().encode(run), byte => {
        const character = String.fromCharCode(byte)
        return /[\w.~-]/.test(character) || kept.includes(character)
          ? character
          : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
      }).join(''),
    9,
  )

const urlencode: Filter = [
  [],
  (value, _, host) => {
    if (value instanceof Text || isNumber(value) || value === null) return quoted(host.text(value), '/')
    const pairs: readonly (readonly Value[])[] = value instanceof Dict ? value.entries : iterate(value).map(iterate)
    const part = (one: Value) => quoted(host.text(one), '').replace('%20', new Text('+'))
    return Text.join(
      pairs.map(([name = null, of = null]) => Text.join([part(name), new Text('='), part(of)])),
      new Text('&'),
    )
  },
]

/**
 * Words and white space, in reverse order. With `breaksHyphens`, words are cut after single hyphens, and around several in a row.
 */
function chunksOf(line: Text, breaksHyphens: boolean): Text[] {
  copy(4 * line.value.length)
  const cuts = [0]
  for (const { 0: chunk, index } of line.value.matchAll(/\s+|\S+/g)) {
    if (breaksHyphens)
      for (const { 0: dash, index: at } of chunk.matchAll(/-+/g)) {
        const [before, after] = [chunk.slice(Math.max(0, at - 3), at), chunk.slice(at + dash.length, at + dash.length + 3)]
        if (dash.length > 1 && /[\w!"'&.,?]$/.test(before) && /^\w/.test(after)) cuts.push(index + at, index + at + dash.length)
        else if (dash.length === 1 && /(?:\p{L}|\p{L}-)\p{L}$/u.test(before) && /^\p{L}-?\p{L}/u.test(after))
          cuts.push(index + at + 1)
      }
    cuts.push(index + chunk.length)
  }
  return cuts
    .slice(1)
    .map((end, at) => line.cut(cuts[at]!, end))
    .reverse()
}

/** Lines of a width, as Python's textwrap makes them. */
function wrapped(line: Text, width: number, breaksWords: boolean, breaksHyphens: boolean): Text[] {
  const chunks = chunksOf(line, breaksHyphens)
  const lines: Text[] = []
  while (chunks.length > 0) {
    const current: Text[] = []
    let length = 0
    if (lines.length > 0 && chunks.at(-1)!.trim().value === '') chunks.pop()
    for (let next = chunks.at(-1); next && length + next.length <= width; next = chunks.at(-1)) {
      current.push(chunks.pop()!)
      length += next.length
    }
    const long = chunks.at(-1)
    if (long && long.length > width) {
      const room = Math.max(1, width - length)
      if (breaksWords) {
        current.push(long.slice(0, room))
        chunks[chunks.length - 1] = long.slice(room)
      } else if (current.length === 0) current.push(chunks.pop()!)
    }
    if (current.at(-1)?.trim().value === '') current.pop()
    if (current.length > 0) lines.push(Text.join(current))
  }
  return lines
}

const wordwrap: Filter = [
  ['width', 'break_long_words', 'wrapstring', 'break_on_hyphens'],
  (value, [width, breaks, between, hyphens], host) => {
    const newline = between === undefined || between === null ? new Text('\n') : needText('wordwrap', between)
    const columns = needInteger('wordwrap', width, 79)
    if (columns <= 0) throw new TemplateError('ValueError', `invalid width ${columns} (must be > 0)`)
    return Text.join(
      linesOf(host.text(value)).map(line =>
        Text.join(wrapped(line, columns, isTrue(breaks ?? true), isTrue(hyphens ?? true)), newline),
      ),
      newline,
    )
  },
]

const truncate: Filter = [
  ['length', 'killwords', 'end', 'leeway'],
  (value, [most, kills, end, leeway], host) => {
    const [text, length, ending] = [
      host.text(value),
      needInteger('truncate', most, 255),
      end === undefined ? new Text('...') : needText('truncate', end),
    ]
    if (text.length <= length + needInteger('truncate', leeway, 5)) return text
    const kept = text.slice(0, length - ending.length)
    const space = kept.value.lastIndexOf(' ')
    return Text.join([isTrue(kills ?? false) || space < 0 ? kept : kept.cut(0, space), ending])
  },
]

const filesizeformat: Filter = [
  ['binary'],
  (value, [binary]) => {
    const bytes = value instanceof Text ? Number(value.value) : isNumber(value) ? Number(value) : NaN
    if (Number.isNaN(bytes)) throw new TemplateError('ValueError', 'filesizeformat: expected a number')
    const base = isTrue(binary ?? false) ? 1024 : 1000
    if (bytes < base) return new Text(bytes === 1 ? '1 Byte' : `${Math.trunc(bytes)} Bytes`)
    const letters = base === 1024 ? 'KMGTPEZY' : 'kMGTPEZY'
    const power = [...letters].findIndex((_, at) => bytes < base ** (at + 2))
    const at = power < 0 ? letters.length - 1 : power
    return new Text(`${fixed((base * bytes) / base ** (at + 2), 1)} ${letters[at]}${base === 1024 ? 'iB' : 'B'}`)
  },
]

const xmlattr: Filter = [
  ['autospace'],
  (value, [autospace], host: FilterHost) => {
    if (!(value instanceof Dict)) throw new TemplateError('TypeError', 'xmlattr: expected a dict')
    const pairs = value.entries.flatMap(([key, item]) => {
      if (item === null || item instanceof Undefined) return []
      const name = host.text(key)
      if (/[\s/>=]/.test(name.value)) throw new TemplateError('ValueError', `Invalid character in attribute name: '${name.value}'`)
      return [Text.join([escaped(name), new Text('="'), escaped(host.text(item)), new Text('"')])]
    })
    return Text.join([new Text(pairs.length > 0 && isTrue(autospace ?? true) ? ' ' : ''), Text.join(pairs, new Text(' '))])
  },
]

export const wordingFilters: Record<string, Filter> = {
  escape,
  filesizeformat,
  forceescape: escape,
  striptags: [
    [],
    (value, _, host) =>
      host.text(value).mapWhole(text =>
        unescaped(
          text
            .replace(/<!--[^]*?-->|<[^>]*>/g, '')
            .trim()
            .replace(/\s+/g, ' '),
        ),
      ),
  ],
  truncate,
  urlencode,
  wordcount: [
    [],
    (value, _, host) => {
      const text = host.text(value).value
      read(4 * text.length)
      return BigInt(text.match(/[\p{L}\p{N}\p{M}_]+/gu)?.length ?? 0)
    },
  ],
  wordwrap,
  xmlattr,
}

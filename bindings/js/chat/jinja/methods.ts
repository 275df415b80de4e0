// The methods of Python's strings, lists and dicts.
import { needInteger, needText, readArguments, readTexts } from './arguments.js'
import { list, make, read, search } from './budget.js'
import { TemplateError } from './error.js'
import { formatBraces } from './format.js'
import { shown } from './operators.js'
import { fill, Text } from './text.js'
import {
  Callable,
  compare,
  Dict,
  ifAbsent,
  isEqual,
  isInteger,
  isTrue,
  itemOf,
  iterate,
  List,
  Tuple,
  typeName,
  type Value,
} from './values.js'

type Args = (Value | undefined)[]
type Method<Self> = [parameters: string[], run: (self: Self, args: Args) => Value]

export const upper = (value: string) => value.toUpperCase()
export const lower = (value: string) => value.toLowerCase()
export const capitalize = (text: Text) => Text.join([text.slice(0, 1).mapRuns(upper), text.slice(1).mapRuns(lower)])
/** Python's str.title: capitalizes each run of letters. */
const title = (text: Text) =>
  text.mapWhole(value =>
    value.replace(/\p{L}+/gu, word => [...word].map((letter, at) => (at === 0 ? upper(letter) : lower(letter))).join('')),
  )

const has = (pattern: RegExp): Method<Text> => [[], self => pattern.test(self.value)]
const places = ['sub', 'start', 'end']
/** A position as in Python's slices: a negative one counts from the end. */
const within = (position: number, length: number) => (position < 0 ? Math.max(0, position + length) : Math.min(position, length))
/** The part between two positions, and its beginning. */
function partOf(self: Text, name: string, start: Value | undefined, end: Value | undefined): [part: Text, from: number] {
  if ((start ?? null) === null && (end ?? null) === null) return [self, 0]
  const from = within(needInteger(name, start ?? undefined, 0), self.length)
  return [self.slice(from, Math.max(from, within(needInteger(name, end ?? undefined, self.length), self.length))), from]
}
const find = (name: string, last: boolean, isNeeded: boolean): Method<Text> => [
  places,
  (self, [sub, start, end]) => {
    const [part, from] = partOf(self, name, start, end)
    const wanted = needText(name, sub).value
    search(part.value.length, wanted.length)
    const found = last ? part.value.lastIndexOf(wanted) : part.value.indexOf(wanted)
    if (found < 0 && isNeeded) throw new TemplateError('ValueError', 'substring not found')
    return BigInt(found < 0 ? -1 : part.point(found) + from)
  },
]
const trim = (start: boolean, end: boolean): Method<Text> => [
  ['chars'],
  (self, [chars]) => self.trim(chars === undefined || chars === null ? undefined : needText('strip', chars).value, start, end),
]
const affix = (name: 'startsWith' | 'endsWith'): Method<Text> => [
  ['prefix', 'start', 'end'],
  (self, [prefix, start, end]) => {
    const wanted = prefix instanceof Tuple ? prefix.items : [prefix]
    const [part] = partOf(self, name, start, end)
    return wanted.some(text => part.value[name](needText(name.toLowerCase(), text).value))
  },
]
/** Pads to a width. `before`: the share of the padding that precedes the text. */
const justify = (name: string, before: (missing: number, width: number) => number): Method<Text> => [
  ['width', 'fillchar'],
  (self, [width, character]) => {
    const by = character === undefined ? new Text(' ') : needText(name, character)
    if (by.length !== 1) throw new TemplateError('TypeError', 'The fill character must be exactly one character long')
    const columns = needInteger(name, width)
    const missing = Math.max(0, columns - self.length)
    list(missing)
    const pad = (count: number) => Text.join(Array<Text>(count).fill(by))
    const first = before(missing, columns)
    return missing === 0 ? self : Text.join([pad(first), self, pad(missing - first)])
  },
]
/** The parts before and after a separator, with the separator between them. */
const partition = (fromEnd: boolean): Method<Text> => [
  ['sep'],
  (self, [sep]) => {
    const { value } = needText('partition', sep)
    if (value === '') throw new TemplateError('ValueError', 'empty separator')
    search(self.value.length, value.length)
    const at = fromEnd ? self.value.lastIndexOf(value) : self.value.indexOf(value)
    if (at < 0) return new Tuple(fromEnd ? [Text.empty, Text.empty, self] : [self, Text.empty, Text.empty])
    return new Tuple([self.cut(0, at), self.cut(at, at + value.length), self.cut(at + value.length)])
  },
]
/** Swaps the case of each letter. */
const swapCase = (value: string) => Array.from(value, letter => (letter === upper(letter) ? lower(letter) : upper(letter))).join('')
const foldCase = (value: string) =>
  Array.from(value, letter => (letter === '\u0131' ? letter : lower(upper(lower(letter))))).join('')
const isTitle = (value: string) => /\p{LC}/u.test(value) && !/\p{LC}[\p{Lu}\p{Lt}]|(?:^|\P{LC})\p{Ll}/u.test(value)

/** The line breaks that Python recognizes. */
const linePattern = /(?=[^])([^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*)(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]|$)/g
export function linesOf(text: Text, keepsEnds = false): Text[] {
  read(4 * text.value.length)
  return Array.from(text.value.matchAll(linePattern), ({ 0: line, 1: bare, index }) =>
    text.cut(index, index + (keepsEnds ? line : bare!).length),
  )
}

/** `str.translate`, with a dict by code points. */
const translate: Method<Text> = [
  ['table'],
  (self, [table]) =>
    Text.join(
      self.characters.map(character => {
        const to = table instanceof Dict ? table.get(BigInt(character.value.codePointAt(0)!)) : undefined
        if (to === undefined) return character
        const by =
          isInteger(to ?? false) && to !== null ? new Text(String.fromCodePoint(Number(to))) : to instanceof Text ? to : Text.empty
        return character.hasData ? Text.data(by.value) : by
      }),
    ),
]
const makeTable: Method<Text> = [
  ['x', 'y', 'z'],
  (_, [from, to, gone]) => {
    const table = new Dict()
    const code = (text: Value) => (text instanceof Text ? BigInt(text.value.codePointAt(0)!) : text)
    if (from instanceof Dict) for (const [key, value] of from.entries) table.set(code(key), value)
    else {
      const targets = needText('maketrans', to).characters
      needText('maketrans', from).characters.forEach((letter, at) => table.set(code(letter), code(targets[at] ?? Text.empty)))
      if (gone !== undefined) for (const letter of needText('maketrans', gone).characters) table.set(code(letter), null)
    }
    return table
  },
]
/** Words: runs without white space as defined by `isSpace`. A single class of characters, so that matching needs no stack. */
const wordPattern = /[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g

/** The pieces between white space, like `split()` without a separator. */
function words(text: Text, most: number): Text[] {
  read(4 * text.value.length)
  const pieces = []
  for (const { 0: word, index } of text.value.matchAll(wordPattern)) {
    if (pieces.length >= most) return [...pieces, text.cut(index)]
    pieces.push(text.cut(index, index + word.length))
  }
  return pieces
}

function splitFromEnd(text: Text, separator: string, most: number): Text[] {
  const all = text.split(separator)
  if (all.length - 1 <= most) return all
  const kept = all.length - most
  return [Text.join(all.slice(0, kept), new Text(separator, text.hasData ? [0] : [])), ...all.slice(kept)]
}

const split = (fromEnd: boolean): Method<Text> => [
  ['sep', 'maxsplit'],
  (self, [sep, maxsplit]) => {
    const given = needInteger('split', maxsplit, -1)
    const most = given < 0 ? Infinity : given
    if (sep === undefined || sep === null) return new List(words(self, most))
    const separator = needText('split', sep).value
    if (separator === '') throw new TemplateError('ValueError', 'empty separator')
    return new List(fromEnd ? splitFromEnd(self, separator, most) : self.split(separator, most))
  },
]

const textMethods: Record<string, Method<Text>> = {
  upper: [[], self => self.mapRuns(upper)],
  lower: [[], self => self.mapRuns(lower)],
  capitalize: [[], capitalize],
  title: [[], title],
  strip: trim(true, true),
  lstrip: trim(true, false),
  rstrip: trim(false, true),
  startswith: affix('startsWith'),
  endswith: affix('endsWith'),
  removeprefix: [
    ['prefix'],
    (self, [prefix]) => {
      const { value } = needText('removeprefix', prefix)
      return self.value.startsWith(value) ? self.cut(value.length) : self
    },
  ],
  removesuffix: [
    ['suffix'],
    (self, [suffix]) => {
      const { value } = needText('removesuffix', suffix)
      return self.value.endsWith(value) ? self.cut(0, self.value.length - value.length) : self
    },
  ],
  split: split(false),
  rsplit: split(true),
  splitlines: [['keepends'], (self, [keep]) => new List(linesOf(self, isTrue(keep ?? false)))],
  replace: [
    ['old', 'new', 'count'],
    (self, [old, by, count]) => {
      const most = needInteger('replace', count, -1)
      return self.replace(needText('replace', old).value, needText('replace', by), most < 0 ? Infinity : most)
    },
  ],
  find: find('find', false, false),
  rfind: find('rfind', true, false),
  index: find('index', false, true),
  rindex: find('rindex', true, true),
  count: [
    places,
    (self, [sub, start, end]) => {
      const { value } = needText('count', sub)
      const [part] = partOf(self, 'count', start, end)
      return BigInt(value === '' ? part.length + 1 : part.split(value).length - 1)
    },
  ],
  partition: partition(false),
  rpartition: partition(true),
  center: justify('center', (missing, width) => (missing >> 1) + (missing & width & 1)),
  ljust: justify('ljust', () => 0),
  rjust: justify('rjust', missing => missing),
  zfill: [
    ['width'],
    (self, [width]) => {
      const sign = /^[-+]/.test(self.value) ? 1 : 0
      return Text.join([self.cut(0, sign), fill('0', needInteger('zfill', width) - self.length), self.cut(sign)])
    },
  ],
  expandtabs: [
    ['tabsize'],
    (self, [size]) => {
      const columns = needInteger('expandtabs', size, 8)
      let column = 0
      return Text.join(
        self.split('\t').flatMap((piece, at, pieces) => {
          const line = piece.value.split(/[\n\r]/)
          column = [...line.at(-1)!].length + (line.length > 1 ? 0 : column)
          if (at === pieces.length - 1) return [piece]
          const missing = columns > 0 ? columns - (column % columns) : 0
          column += missing
          return [piece, fill(' ', missing)]
        }),
      )
    },
  ],
  swapcase: [[], self => self.mapRuns(swapCase, 3)],
  casefold: [[], self => self.mapRuns(foldCase, 3)],
  translate,
  maketrans: makeTable,
  join: [
    ['iterable'],
    (self, [items]) => {
      const texts = iterate(items ?? null).map((item, at) => {
        if (item instanceof Text) return item
        throw new TemplateError('TypeError', `sequence item ${at}: expected str instance, ${typeName(item)} found`)
      })
      return Text.join(texts, self)
    },
  ],
  isascii: has(/^[\x00-\x7f]*$/),
  isdecimal: has(/^\p{Nd}+$/u),
  isnumeric: has(/^\p{N}+$/u),
  isidentifier: has(/^[\p{ID_Start}_]\p{ID_Continue}*$/u),
  isprintable: has(/^(?:[^\p{C}\p{Z}]| )*$/u),
  istitle: [[], self => isTitle(self.value)],
  isalnum: has(/^[\p{L}\p{N}]+$/u),
  isalpha: has(/^\p{L}+$/u),
  isdigit: has(/^[\p{Nd}\xb2\xb3\xb9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490]+$/u),
  isspace: [[], self => self.value !== '' && self.trim().value === ''],
  islower: [[], self => self.value !== upper(self.value) && self.value === lower(self.value)],
  isupper: [[], self => self.value !== lower(self.value) && self.value === upper(self.value)],
}

const listMethods: Record<string, Method<List | Tuple>> = {
  index: [
    ['value', 'start', 'end'],
    (self, [value, start, end]) => {
      const { length } = self.items
      const [from, to] = [within(needInteger('index', start, 0), length), within(needInteger('index', end, length), length)]
      const at = self.items.findIndex((item, at) => at >= from && at < to && isEqual(item, value ?? null))
      if (at < 0) throw new TemplateError('ValueError', `${shown(value ?? null)} is not in list`)
      return BigInt(at)
    },
  ],
  count: [['value'], (self, [value]) => BigInt(self.items.filter(item => isEqual(item, value ?? null)).length)],
}

const placeIn = (self: List, at: number) => (at < 0 ? at + self.items.length : at)
/** Methods that change lists in place, unlike in an immutable sandbox: they are safe, as the lists are copies of the caller's. */
const changingMethods: Record<string, Method<List>> = {
  append: [
    ['value'],
    (self, [value]) => {
      make(1)
      self.items.push(value ?? null)
      return null
    },
  ],
  extend: [
    ['values'],
    (self, [values]) => {
      for (const value of [...iterate(values ?? null)]) self.items.push(value)
      return null
    },
  ],
  pop: [
    ['index'],
    (self, [index]) => {
      const at = placeIn(self, needInteger('pop', index, -1))
      if (itemOf(self, BigInt(at)) === undefined) throw new TemplateError('IndexError', 'pop index out of range')
      read(self.items.length - at)
      return self.items.splice(at, 1)[0]!
    },
  ],
  insert: [
    ['index', 'value'],
    (self, [index, value]) => {
      make(1)
      list(self.items.length)
      self.items.splice(within(needInteger('insert', index), self.items.length), 0, value ?? null)
      return null
    },
  ],
  remove: [
    ['value'],
    (self, [value]) => {
      const at = self.items.findIndex(item => isEqual(item, value ?? null))
      if (at < 0) throw new TemplateError('ValueError', 'list.remove(x): x not in list')
      list(self.items.length)
      self.items.splice(at, 1)
      return null
    },
  ],
  clear: [[], self => ((self.items.length = 0), null)],
  reverse: [[], self => (list(self.items.length), self.items.reverse(), null)],
  sort: [
    ['reverse'],
    (self, [reverse]) => {
      const sorted = [...iterate(self)].sort((a, b) => (isTrue(reverse ?? false) ? compare(b, a) : compare(a, b)))
      sorted.forEach((item, at) => {
        self.items[at] = item
      })
      return null
    },
  ],
  copy: [[], self => new List([...iterate(self)], self.data)],
}

const dictMethods: Record<string, Method<Dict>> = {
  get: [['key', 'default'], (self, [key, otherwise]) => ifAbsent(self.get(key ?? null), otherwise ?? null)],
  items: [[], self => new List(self.entries.map(entry => new Tuple(entry)))],
  keys: [[], self => new List(self.keys)],
  values: [[], self => new List(self.entries.map(([, value]) => value))],
  copy: [[], self => new Dict(self.entries, self.data)],
  setdefault: [
    ['key', 'default'],
    (self, [key, otherwise]) => {
      if (!self.has(key ?? null)) self.set(key ?? null, otherwise ?? null)
      return self.get(key ?? null)!
    },
  ],
  pop: [
    ['key', 'default'],
    (self, [key, otherwise]) => {
      const value = self.has(key ?? null) ? self.get(key ?? null) : otherwise
      if (value === undefined) throw new TemplateError('KeyError', shown(key ?? null))
      self.delete(key ?? null)
      return value
    },
  ],
  clear: [
    [],
    self => {
      for (const key of self.keys) self.delete(key)
      return null
    },
  ],
  popitem: [
    [],
    self => {
      const last = self.entries.at(-1)
      if (!last) throw new TemplateError('KeyError', 'popitem(): dictionary is empty')
      self.delete(last[0])
      return new Tuple(last)
    },
  ],
  fromkeys: [['iterable', 'value'], (_, [keys, value]) => new Dict(iterate(keys ?? null).map(key => [key, value ?? null]))],
}

/** `dict.update`, which takes a dict or pairs, and named values. */
export function update(self: Dict, [other]: Value[], named: Dict): null {
  const entries =
    other instanceof Dict ? other.entries : other === undefined ? [] : iterate(other).map(pair => iterate(pair) as [Value, Value])
  for (const [key, value = null] of entries) self.set(key, value)
  for (const [name, value] of named.entries) self.set(name, value)
  return null
}

function bound<Self>(methods: Record<string, Method<Self>>, self: Self & Value, name: string): Callable | undefined {
  if (!Object.hasOwn(methods, name)) return undefined
  const [parameters, run] = methods[name]!
  return new Callable(
    name,
    (args, named) => {
      readTexts([self])
      return run(self, readArguments(name, parameters, args, named))
    },
    'builtin_function_or_method',
  )
}

/** A method of a value, bound to it; undefined if there is none with this name. */
export function methodOf(value: Value, name: string): Callable | undefined {
  if (value instanceof Text) {
    const formats = (args: Value[], named: Dict) => formatBraces(value, args, named)
    if (name === 'format') return new Callable(name, formats)
    if (name === 'format_map') return new Callable(name, ([named]) => formats([], named instanceof Dict ? named : new Dict()))
    return bound(textMethods, value, name)
  }
  if (value instanceof List) return bound(listMethods, value, name) ?? bound(changingMethods, value, name)
  if (value instanceof Tuple) return bound(listMethods, value, name)
  if (!(value instanceof Dict)) return undefined
  if (name === 'update') return new Callable(name, (args, named) => update(value, args, named))
  return bound(dictMethods, value, name)
}

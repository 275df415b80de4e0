// The methods of Python's strings, lists and dicts.
import { needInteger, needText, readArguments, readTexts } from './arguments.js'
import { make, read, search } from './budget.js'
import { TemplateError } from './error.js'
import { itemOf, shown } from './operators.js'
import { Text } from './text.js'
import { Callable, Dict, ifAbsent, isEqual, iterate, List, Tuple, typeName, type Value } from './values.js'

type Args = (Value | undefined)[]
type Method<Self> = [parameters: string[], run: (self: Self, args: Args) => Value]

export const upper = (value: string) => value.toUpperCase()
export const lower = (value: string) => value.toLowerCase()
export const capitalize = (text: Text) =>
  Text.join([text.slice(0, 1).mapRuns(upper), text.slice(1).mapRuns(lower)])
/** Python's str.title: capitalizes each run of letters. */
const title = (text: Text) => text.mapWhole(value =>
  value.replace(/\p{L}+/gu, word => [...word].map((letter, at) => at === 0 ? upper(letter) : lower(letter)).join('')))

const has = (pattern: RegExp): Method<Text> => [[], self => pattern.test(self.value)]
const places = ['sub', 'start', 'end']
/** A position as Python's slices take it: a negative one counts from the end. */
const within = (position: number, length: number) => position < 0 ? Math.max(0, position + length) : Math.min(position, length)
const find = (name: string, last: boolean, isNeeded: boolean): Method<Text> => [places, (self, [sub, start, end]) => {
  const from = within(needInteger(name, start, 0), self.length)
  const part = self.slice(from, Math.max(from, within(needInteger(name, end, self.length), self.length)))
  const wanted = needText(name, sub).value
  search(part.value.length, wanted.length)
  const found = last ? part.value.lastIndexOf(wanted) : part.value.indexOf(wanted)
  if (found < 0 && isNeeded) throw new TemplateError('ValueError', 'substring not found')
  return BigInt(found < 0 ? -1 : part.point(found) + from)
}]
const trim = (start: boolean, end: boolean): Method<Text> => [['chars'], (self, [chars]) =>
  self.trim(chars === undefined || chars === null ? undefined : needText('strip', chars).value, start, end)]
const affix = (name: 'startsWith' | 'endsWith'): Method<Text> => [['prefix'], (self, [prefix]) => {
  const wanted = prefix instanceof Tuple ? prefix.items : [prefix]
  return wanted.some(text => self.value[name](needText(name.toLowerCase(), text).value))
}]
/** Words are without white space, which is what `isSpace` says: one class of characters, whose repetition needs no stack. */
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

const split = (fromEnd: boolean): Method<Text> => [['sep', 'maxsplit'], (self, [sep, maxsplit]) => {
  const given = needInteger('split', maxsplit, -1)
  const most = given < 0 ? Infinity : given
  if (sep === undefined || sep === null) return new List(words(self, most))
  const separator = needText('split', sep).value
  if (separator === '') throw new TemplateError('ValueError', 'empty separator')
  return new List(fromEnd ? splitFromEnd(self, separator, most) : self.split(separator, most))
}]

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
  removeprefix: [['prefix'], (self, [prefix]) => {
    const { value } = needText('removeprefix', prefix)
    return self.value.startsWith(value) ? self.cut(value.length) : self
  }],
  removesuffix: [['suffix'], (self, [suffix]) => {
    const { value } = needText('removesuffix', suffix)
    return self.value.endsWith(value) ? self.cut(0, self.value.length - value.length) : self
  }],
  split: split(false),
  rsplit: split(true),
  splitlines: [['keepends'], (self, [keep]) => {
    read(4 * self.value.length)
    const lines = []
    for (const { 0: line, 1: bare, index } of self.value.matchAll(/(?=[^])([^\r\n\v\f]*)(?:\r\n|[\r\n\v\f]|$)/g)) {
      lines.push(self.cut(index, index + (keep === true ? line : bare!).length))
    }
    return new List(lines)
  }],
  replace: [['old', 'new', 'count'], (self, [old, by, count]) => {
    const most = needInteger('replace', count, -1)
    return self.replace(needText('replace', old).value, needText('replace', by), most < 0 ? Infinity : most)
  }],
  find: find('find', false, false),
  rfind: find('rfind', true, false),
  index: find('index', false, true),
  count: [['sub'], (self, [sub]) => {
    const { value } = needText('count', sub)
    return BigInt(value === '' ? self.length + 1 : self.split(value).length - 1)
  }],
  join: [['iterable'], (self, [items]) => {
    const texts = iterate(items ?? null).map((item, at) => {
      if (item instanceof Text) return item
      throw new TemplateError('TypeError', `sequence item ${at}: expected str instance, ${typeName(item)} found`)
    })
    return Text.join(texts, self)
  }],
  isalnum: has(/^[\p{L}\p{N}]+$/u),
  isalpha: has(/^\p{L}+$/u),
  isdigit: has(/^\p{Nd}+$/u),
  isspace: [[], self => self.value !== '' && self.trim().value === ''],
  islower: [[], self => self.value !== upper(self.value) && self.value === lower(self.value)],
  isupper: [[], self => self.value !== lower(self.value) && self.value === upper(self.value)],
}

const listMethods: Record<string, Method<List | Tuple>> = {
  index: [['value'], (self, [value]) => {
    const at = self.items.findIndex(item => isEqual(item, value ?? null))
    if (at < 0) throw new TemplateError('ValueError', `${shown(value ?? null)} is not in list`)
    return BigInt(at)
  }],
  count: [['value'], (self, [value]) => BigInt(self.items.filter(item => isEqual(item, value ?? null)).length)],
}

const placeIn = (self: List, at: number) => at < 0 ? at + self.items.length : at
/** These change lists in place, unlike in an immutable sandbox. This is safe, because the lists are copies of the caller's. */
const changingMethods: Record<string, Method<List>> = {
  append: [['value'], (self, [value]) => {
    make(1)
    self.items.push(value ?? null)
    return null
  }],
  extend: [['values'], (self, [values]) => {
    for (const value of [...iterate(values ?? null)]) self.items.push(value)
    return null
  }],
  pop: [['index'], (self, [index]) => {
    const at = placeIn(self, needInteger('pop', index, -1))
    if (itemOf(self, BigInt(at)) === undefined) throw new TemplateError('IndexError', 'pop index out of range')
    read(self.items.length - at)
    return self.items.splice(at, 1)[0]!
  }],
  copy: [[], self => new List([...iterate(self)], self.data)],
}

const dictMethods: Record<string, Method<Dict>> = {
  get: [['key', 'default'], (self, [key, otherwise]) => ifAbsent(self.get(key ?? null), otherwise ?? null)],
  items: [[], self => new List(self.entries.map(entry => new Tuple(entry)))],
  keys: [[], self => new List(self.keys)],
  values: [[], self => new List(self.entries.map(([, value]) => value))],
  copy: [[], self => new Dict(self.entries, self.data)],
  setdefault: [['key', 'default'], (self, [key, otherwise]) => {
    if (!self.has(key ?? null)) self.set(key ?? null, otherwise ?? null)
    return self.get(key ?? null)!
  }],
  pop: [['key', 'default'], (self, [key, otherwise]) => {
    const value = self.has(key ?? null) ? self.get(key ?? null) : otherwise
    if (value === undefined) throw new TemplateError('KeyError', shown(key ?? null))
    self.delete(key ?? null)
    return value
  }],
}

/** `dict.update`, which takes a dict or pairs, and named values. */
export function update(self: Dict, [other]: Value[], named: Dict): null {
  const entries = other instanceof Dict ? other.entries
    : other === undefined ? [] : iterate(other).map(pair => iterate(pair) as [Value, Value])
  for (const [key, value = null] of entries) self.set(key, value)
  for (const [name, value] of named.entries) self.set(name, value)
  return null
}

function bound<Self>(
  methods: Record<string, Method<Self>>, self: Self & Value, name: string,
): Callable | undefined {
  if (!Object.hasOwn(methods, name)) return undefined
  const [parameters, run] = methods[name]!
  return new Callable(name, (args, named) => {
    readTexts([self])
    return run(self, readArguments(name, parameters, args, named))
  }, 'builtin_function_or_method')
}

/** A method of a value, bound to it; undefined if it has none of this name. */
export function methodOf(value: Value, name: string): Callable | undefined {
  if (value instanceof Text) return bound(textMethods, value, name)
  if (value instanceof List) return bound(listMethods, value, name) ?? bound(changingMethods, value, name)
  if (value instanceof Tuple) return bound(listMethods, value, name)
  if (!(value instanceof Dict)) return undefined
  if (name === 'update') return new Callable(name, (args, named) => update(value, args, named))
  return bound(dictMethods, value, name)
}

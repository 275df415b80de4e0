// Jinja's filters for lists and other sequences.
import { needInteger, needText } from './arguments.js'
import { list, make } from './budget.js'
import { TemplateError } from './error.js'
import type { Filter, FilterHost } from './filter.js'
import { binary } from './operators.js'
import { Text } from './text.js'
import { compare, Dict, ifAbsent, isEqual, isTrue, iterate, List, Tuple, Undefined, type Value } from './values.js'

/** A function that returns an attribute of an item, such as 'function.name' or 0. */
function getter(host: FilterHost, attribute: Value | undefined, otherwise?: Value): (item: Value) => Value {
  if (attribute === undefined || attribute === null) return item => item
  const keys =
    attribute instanceof Text
      ? attribute.split('.').map(key => (/^\d{1,9}$/.test(key.value) ? BigInt(key.value) : key))
      : [attribute]
  return item =>
    keys.reduce<Value>((of, key) => {
      const value = host.item(of, key)
      return value instanceof Undefined && otherwise !== undefined ? otherwise : value
    }, item)
}

const fold = (cased: Value | undefined) => (value: Value) =>
  value instanceof Text && !isTrue(cased ?? false) ? value.mapRuns(run => run.toLowerCase()) : value

function sorted(items: readonly Value[], key: (item: Value) => Value, reverse: boolean): Value[] {
  const pairs = items.map(item => [key(item), item] as const)
  pairs.sort(([a], [b]) => (reverse ? compare(b, a) : compare(a, b)))
  return pairs.map(([, item]) => item)
}

const end = (sign: number): Filter => [
  ['case_sensitive', 'attribute'],
  (value, [cased, attribute], host) => {
    const get = getter(host, attribute)
    const key = fold(cased)
    const items = iterate(value)
    if (items.length === 0) return new Undefined('No aggregated item, sequence was empty.')
    return items.reduce((best, item) => (compare(key(get(item)), key(get(best))) * sign > 0 ? item : best))
  },
]

/** `select` and `reject`: by a test of the item, or of an attribute. */
const choose = (wanted: boolean, byAttribute: boolean): Filter => [
  undefined,
  (value, args, host) => {
    const rest = [...args] as Value[]
    if (byAttribute && rest.length === 0) throw new TemplateError('TypeError', 'Missing parameter for attribute name')
    const get = byAttribute ? getter(host, rest.shift()) : (item: Value) => item
    const test = rest.shift()
    return new List(
      iterate(value).filter(item => {
        const chosen = get(item)
        return (test === undefined ? isTrue(chosen) : host.test(needText('select', test).value, chosen, rest)) === wanted
      }),
    )
  },
]

const map: Filter = [
  undefined,
  (value, args, host, named) => {
    const attribute = named.text('attribute')
    if (attribute !== undefined) {
      const get = getter(host, attribute, named.text('default'))
      return new List(iterate(value).map(get))
    }
    const [name, ...rest] = args as Value[]
    if (name === undefined) throw new TemplateError('TypeError', 'map requires a filter argument')
    return new List(iterate(value).map(item => host.filter(needText('map', name).value, item, rest, named)))
  },
]

/** Splits the items into lists of `linecount` items. */
const batch: Filter = [
  ['linecount', 'fill_with'],
  (value, [count, filling]) => {
    const [items, length] = [iterate(value), needInteger('batch', count)]
    const rows: Value[][] = []
    for (let at = 0; at < items.length; at += Math.max(1, length)) rows.push(items.slice(at, at + Math.max(1, length)))
    make(rows.length)
    list(filling === undefined || filling === null ? 0 : length)
    while (filling !== undefined && filling !== null && rows.length > 0 && rows.at(-1)!.length < length) rows.at(-1)!.push(filling)
    return new List(rows.map(row => new List(row)))
  },
]

/** Splits the items into `slices` lists of nearly equal length. */
const slice: Filter = [
  ['slices', 'fill_with'],
  (value, [count, filling]) => {
    const [items, slices] = [iterate(value), needInteger('slice', count)]
    if (slices === 0) throw new TemplateError('ZeroDivisionError', 'integer division or modulo by zero')
    make(Math.max(0, slices))
    const [size, more] = [Math.floor(items.length / slices), items.length % slices]
    let at = 0
    return new List(
      Array.from({ length: Math.max(0, slices) }, (_, column) => {
        const row = items.slice(at, (at += size + (column < more ? 1 : 0)))
        return new List(filling !== undefined && filling !== null && column >= more ? [...row, filling] : row)
      }),
    )
  },
]

const groupby: Filter = [
  ['attribute', 'default', 'case_sensitive'],
  (value, [attribute, otherwise, cased], host) => {
    const get = getter(host, attribute, otherwise)
    const key = fold(cased)
    const groups: [key: Value, name: Value, items: Value[]][] = []
    for (const item of sorted(iterate(value), one => key(get(one)), false)) {
      const last = groups.at(-1)
      const name = get(item)
      if (last && isEqual(last[0], key(name))) last[2].push(item)
      else {
        make(3)
        groups.push([key(name), name, [item]])
      }
    }
    return new List(groups.map(([, name, items]) => new Tuple([name, new List(items)], ['grouper', 'list'])))
  },
]

export const sequenceFilters: Record<string, Filter> = {
  batch,
  groupby,
  slice,
  first: [[], value => ifAbsent(iterate(value)[0], new Undefined('No first item, sequence was empty.'))],
  last: [[], value => ifAbsent(iterate(value).at(-1), new Undefined('No last item, sequence was empty.'))],
  join: [
    ['d', 'attribute'],
    (value, [between, attribute], host) => {
      const get = getter(host, attribute)
      const texts = iterate(value).map(item => host.text(get(item)))
      return Text.join(texts, between === undefined ? Text.empty : host.text(between))
    },
  ],
  list: [[], value => new List([...iterate(value)], value instanceof List && value.data)],
  map,
  max: end(1),
  min: end(-1),
  reject: choose(false, false),
  rejectattr: choose(false, true),
  reverse: [
    [],
    value => {
      const items = [...iterate(value)].reverse()
      return value instanceof Text ? Text.join(items as Text[]) : new List(items)
    },
  ],
  select: choose(true, false),
  selectattr: choose(true, true),
  sort: [
    ['reverse', 'case_sensitive', 'attribute'],
    (value, [reverse, cased, attribute], host) => {
      const gets = attribute instanceof Text ? attribute.split(',').map(one => getter(host, one)) : [getter(host, attribute)]
      const key = fold(cased)
      return new List(
        sorted(
          iterate(value),
          item => {
            const keys = gets.map(get => key(get(item)))
            return keys.length === 1 ? keys[0]! : new Tuple(keys)
          },
          isTrue(reverse ?? false),
        ),
      )
    },
  ],
  sum: [
    ['attribute', 'start'],
    (value, [attribute, start], host) => {
      const get = getter(host, attribute)
      return iterate(value).reduce((total, item) => binary('+', total, get(item)), ifAbsent(start, 0n))
    },
  ],
  unique: [
    ['case_sensitive', 'attribute'],
    (value, [cased, attribute], host) => {
      const get = getter(host, attribute)
      const key = fold(cased)
      const seen = new Dict()
      return new List(
        iterate(value).filter(item => {
          const one = key(get(item))
          const isNew = !seen.has(one)
          seen.set(one, true)
          return isNew
        }),
      )
    },
  ],
}

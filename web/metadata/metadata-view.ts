// All metadata of a model's files: a table of keys, types and values that can be filtered, and copied as JSON. Loaded when it is
// opened.
import '../styles/metadata.css'
import type { MetadataEntry, MetadataValue, Model } from 'heed'
import { offerCopy } from '#elements/support/copy.js'
import { make } from '../support/dom.js'
import { foreign, plural } from '../support/format.js'
import { explain } from '../support/notices.js'

/** The most characters of a value to show. */
const longest = 160

/** The most values of an array to show. */
const mostValues = 16

const isList = (value: MetadataValue): value is readonly MetadataValue[] => typeof value === 'object'

/** Control characters in a text are escaped as in JSON. */
function inWords(value: MetadataValue): string {
  if (!isList(value)) return typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : `${value}`
  const first = value.slice(0, mostValues).map(inWords).join(', ')
  return value.length > mostValues ? `${value.length} values: ${first}, …` : first
}

/** Numbers that JSON cannot represent, and the rest of long arrays, become words. */
function inJson(value: MetadataValue): unknown {
  if (typeof value === 'bigint') return `${value}`
  if (!isList(value)) return value
  const first = value.slice(0, mostValues).map(inJson)
  return value.length > mostValues ? { length: value.length, first } : first
}

const shortened = (text: string) => foreign(text.length > longest ? `${text.slice(0, longest)}…` : text, longest + 1)

/** Fills `place` with the metadata of a model's files; `names` are the names of these files. */
export async function showMetadata(place: HTMLElement, model: Model, names: { model: string; projector?: string }): Promise<void> {
  const files = (['model', 'projector'] as const).filter(file => names[file] !== undefined)
  place.replaceChildren(...(await Promise.all(files.map(file => tableOf(model, file, names[file]!, files.length > 1)))))
}

async function tableOf(model: Model, file: 'model' | 'projector', name: string, isOneOfSeveral: boolean): Promise<HTMLElement> {
  const title = foreign(name.replace(/^“|”$/g, ''))
  const section = make('section', { ariaLabel: `Metadata of ${title}` })
  if (isOneOfSeveral) section.append(make('h3', {}, title))
  try {
    section.append(...table(Object.entries(await model.metadata({ file })).map(([key, entry]) => ({ key, ...entry }))))
  } catch (error) {
    section.append(make('p', { role: 'alert' }, explain('The metadata', error)))
  }
  return section
}

interface Pair extends MetadataEntry {
  readonly key: string
}

function table(pairs: readonly Pair[]): HTMLElement[] {
  const filter = make('input', {
    type: 'search',
    placeholder: 'Filter',
    ariaLabel: 'Filter the metadata',
    autocomplete: 'off',
    spellcheck: false,
  })
  const count = make('span', { role: 'status' })
  const copy = make('button', { type: 'button', className: 'quiet' }, 'Copy as JSON')
  const rows = pairs.map(pair => {
    const { key, type, value } = pair
    const text = inWords(value)
    const row = make(
      'tr',
      { role: 'row' }, // on a phone, rows are grids
      make('th', { scope: 'row', role: 'rowheader' }, foreign(key)),
      make('td', { role: 'cell' }, type),
      make('td', { dir: 'auto', role: 'cell' }, shortened(text)),
    )
    return { pair, row, text: `${key} ${type} ${text}`.toLowerCase() }
  })
  let shown = rows
  const update = () => {
    const wanted = filter.value.trim().toLowerCase()
    shown = rows.filter(({ text }) => text.includes(wanted))
    for (const { row, text } of rows) row.hidden = !text.includes(wanted)
    count.textContent =
      shown.length === rows.length ? plural(rows.length, 'key') : `${shown.length} of ${plural(rows.length, 'key')}`
  }
  filter.addEventListener('input', update)
  offerCopy(
    copy,
    () => JSON.stringify(Object.fromEntries(shown.map(({ pair: { key, value } }) => [key, inJson(value)])), null, 2),
    'Copy as JSON',
  )
  update()
  return [
    make('div', { className: 'metadata-bar' }, filter, count, copy),
    make(
      'div',
      { className: 'metadata-frame', tabIndex: 0, role: 'group', ariaLabel: 'Keys and values' },
      make(
        'table',
        { role: 'table' },
        make('thead', {}, make('tr', {}, ...['Key', 'Type', 'Value'].map(name => make('th', { scope: 'col' }, name)))),
        make('tbody', {}, ...rows.map(({ row }) => row)),
      ),
    ),
  ]
}

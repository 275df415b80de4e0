// All metadata of a model's files: a table of keys, types and values that can be filtered, and copied as JSON. Loaded when it is
// opened.
import '../styles/metadata.css'
import type { Source } from '../model/slot.js'
import { offerCopy } from '#elements/support/copy.js'
import { make } from '../support/dom.js'
import { foreign, plural } from '../support/format.js'
import { filesOf, type NamedFile } from './bytes.js'
import { type List, type Pair, readMetadata, type Value } from './gguf.js'

/** The most characters of a value to show. */
const longest = 160

const isList = (value: Value): value is List => typeof value === 'object'

/** Control characters in a text are escaped as in JSON. */
function inWords(value: Value): string {
  if (!isList(value)) return typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : `${value}`
  const first = value.first.map(inWords).join(', ')
  return value.length > value.first.length ? `${value.length} values: ${first}, …` : first
}

/** Numbers that JSON cannot represent, and the rest of long arrays, become words. */
function inJson(value: Value): unknown {
  if (typeof value === 'bigint') return `${value}`
  if (!isList(value)) return value
  const first = value.first.map(inJson)
  return value.length > value.first.length ? { length: value.length, first } : first
}

const shortened = (text: string) => foreign(text.length > longest ? `${text.slice(0, longest)}…` : text, longest + 1)

/** Fills `place` with the metadata of the files of a model. */
export async function showMetadata(place: HTMLElement, source: Source): Promise<void> {
  const files = filesOf(source)
  place.replaceChildren(...(await Promise.all(files.map(file => tableOf(file, files.length > 1)))))
}

async function tableOf(file: NamedFile, isOneOfSeveral: boolean): Promise<HTMLElement> {
  const title = foreign(file.name)
  const section = make('section', { ariaLabel: `Metadata of ${title}` })
  if (isOneOfSeveral) section.append(make('h3', {}, title))
  if (!file.first) {
    section.append(
      make(
        'p',
        {},
        'The page can read the metadata of a file on this device or at a web address, and not of one in the store or on a hub.',
      ),
    )
    return section
  }
  try {
    section.append(...table(await readMetadata(file.first)))
  } catch (error) {
    section.append(make('p', { role: 'alert' }, `The metadata cannot be read: ${(error as Error).message}.`))
  }
  return section
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

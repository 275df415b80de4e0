// The table of docs/families.md: what the comments in src/models/registry.cpp say of the names below them. `node tools/docs/families.mjs`
// writes it there; tests/docs/facts.test.js compares.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { inRoot } from '../paths.mjs'

const page = inRoot('docs/families.md')
const folder = inRoot('src/models')
const textOf = file => readFileSync(`${folder}/${file}`, 'utf8')

/** The file that has each function of a family. */
const filesOf = () =>
  new Map(
    readdirSync(folder)
      .filter(file => file.endsWith('.cpp'))
      .flatMap(file =>
        [...textOf(file).matchAll(/^ModelSpec (\w+)\(const Hyperparameters& \w+\)/gm)].map(([, name]) => [name, file]),
      ),
  )

/** The registry's families in its order: {family, features, distance, names: [{name, file}]}. */
export function families() {
  const files = filesOf()
  const list = []
  for (const line of textOf('registry.cpp').split('\n')) {
    const row = /^ {4}\/\/ (.*) \| (.*) \| (.*)$/.exec(line)
    if (row) list.push({ family: row[1], features: row[2], distance: row[3], names: [] })
    const entry = /^ {4}\{"([\w.-]+)", (\w+)\},$/.exec(line)
    if (entry) list.at(-1).names.push({ name: entry[1], file: files.get(entry[2]) })
  }
  return list
}

/** The table in Markdown. */
export function familiesTable() {
  const rows = families().map(({ family, names, features, distance }) => {
    let at = 0
    const linked = family.replace(/\[(.*?)\]/g, (text, _) => `${text}(../src/models/${(names[at++] ?? names[0]).file})`)
    return [linked, names.map(({ name }) => `\`${name}\``).join(', '), features, distance]
  })
  const columns = ['family', '`general.architecture`', 'distinguishing features', 'distance']
  return [`| ${columns.join(' | ')} |`, '|---|---|---|---|', ...rows.map(row => `| ${row.join(' | ')} |`)].join('\n')
}

const place = /(?<=<!-- families -->\n)[^]*?(?=\n<!-- end of families -->)/

/** The table as the page has it. */
export const shownFamilies = () => place.exec(readFileSync(page, 'utf8'))[0]

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(page, readFileSync(page, 'utf8').replace(place, familiesTable))
}

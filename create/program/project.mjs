// Writes a project into a new or empty folder: first the files of the template's parts, then the template's own files.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { UsageError } from './errors.mjs'
import { version } from './package.mjs'
import { partsFolder, templates, templatesFolder } from './templates.mjs'

/** Files that are not copied. The package.json files of all parts are merged. */
const notCopied = new Set(['template.json', 'package.json'])

/** Throws a UsageError if something exists at this path. A folder that contains only a repository counts as empty. */
export function checkFolder(folder) {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} is a file`)
  const others = readdirSync(folder).filter(name => name !== '.git')
  if (others.length > 0) throw new UsageError(`${folder} is not empty: it has ${others.slice(0, 3).join(', ')}. Name a new folder`)
}

/** A name that npm accepts, made from the folder's name. */
export const packageName = folder =>
  basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '') || 'heed-app'

/** Writes the project; returns its name. */
export function writeProject(folder, template) {
  checkFolder(folder)
  const { parts } = templates.find(({ name }) => name === template)
  const sources = [...parts.map(part => join(partsFolder, part)), join(templatesFolder, template)]
  mkdirSync(folder, { recursive: true })
  for (const source of sources) {
    cpSync(source, folder, { recursive: true, filter: path => !notCopied.has(path.slice(source.length + 1)) })
  }
  renameSync(join(folder, '_gitignore'), join(folder, '.gitignore')) // npm leaves files of this name out of packages
  const name = packageName(folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(name, sources), null, 2)}\n`)
  return name
}

const sorted = object => Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)))

/** The project's package.json: the fields of its sources, with this version of Heed. */
function manifest(name, sources) {
  const all = sources.map(source => join(source, 'package.json')).filter(existsSync)
  const read = all.map(path => JSON.parse(readFileSync(path, 'utf8')))
  const merged = key => Object.assign({}, ...read.map(one => one[key] ?? {}))
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: merged('scripts'),
    dependencies: sorted({ ...merged('dependencies'), heed: version }),
    devDependencies: sorted(merged('devDependencies')),
  }
}

// The templates. Each is a folder, whose template.json has its description and the parts that it uses.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { UsageError } from './errors.mjs'

export const templatesFolder = fileURLToPath(new URL('../templates', import.meta.url))
export const partsFolder = fileURLToPath(new URL('../parts', import.meta.url))

const described = name => JSON.parse(readFileSync(`${templatesFolder}/${name}/template.json`, 'utf8'))

/** {name, about, parts} of each template; the first one, `chat`, is the default. */
export const templates = readdirSync(templatesFolder)
  .sort((one, other) => (other === 'chat') - (one === 'chat') || (one < other ? -1 : 1))
  .map(name => ({ name, ...described(name) }))

export const templateNames = templates.map(({ name }) => name)

/** Throws a UsageError with the names of all templates if there is none with this name. */
export function checkTemplate(name) {
  if (!templateNames.includes(name)) throw new UsageError(`there is no template "${name}"; there are ${templateNames.join(', ')}`)
}

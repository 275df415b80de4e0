// Loads the contract of api/ as data, for the programs that generate files from it.
import { rolldown } from 'rolldown'
import { inRoot } from '../paths.mjs'

/** The exports of a source file of the contract or of the package. */
export async function exportsOf(path) {
  const bundle = await rolldown({
    input: inRoot(path),
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  })
  const {
    output: [{ code }],
  } = await bundle.generate({ format: 'es' })
  return import(`data:text/javascript,${encodeURIComponent(code)}`)
}

/** Resolves to {calls, groups, results, commands, mediaArguments, inWords}; groups come after those that they extend or whose readers they name. */
export async function loadContract() {
  const [{ calls, groups }, { results }, commands, { inWords }] = await Promise.all(
    ['calls', 'results', 'commands', 'kinds'].map(name => exportsOf(`api/${name}.ts`)),
  )
  return { calls, groups: inOrder(groups), results, ...commands, inWords }
}

/** The name of a group's description among the readers. */
export const described = ({ name }) => name[0].toLowerCase() + name.slice(1)

function inOrder(groups) {
  const byName = new Map(groups.map(group => [described(group), group]))
  const ordered = new Set()
  const visit = group => {
    for (const { group: below } of group.from) visit(below)
    for (const { kind } of Object.values(group.options)) {
      const [, inner] = /\((\w+)\)$/.exec(kind.read) ?? []
      if (byName.has(inner)) visit(byName.get(inner))
    }
    ordered.add(group)
  }
  groups.forEach(visit)
  return [...ordered]
}

/** All options of a group, those of its groups first. */
export const optionsOf = ({ from, options }) => ({
  ...Object.assign({}, ...from.map(({ group, less = [] }) => without(optionsOf(group), less))),
  ...options,
})

/** All options of the group of this name. */
export const optionsNamed = ({ groups }, name) => optionsOf(groups.find(group => group.name === name))

export const without = (options, names) => Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)))
export const pick = (options, wanted) => Object.entries(options).filter(([, option]) => wanted(option))

// Generates the methods of a model that read its inside.
import { optionsOf } from './load.mjs'
import { docstring, exportedBy, importsFor, written } from './text.mjs'

function methodOf([name, { options, reading }]) {
  const { doc, examples, result, what, madeIn } = reading
  const isRequired = Object.values(optionsOf(options)).some(({ required }) => required)
  const made = { page: `${name}Of`, lab: `(await lab()).${name}Of` }[madeIn]
  return (
    docstring(doc, '  ', examples) +
    `  async ${name}(text: Prompt, options${isRequired ? '' : '?'}: ${options.name}): Promise<${result}> {\n` +
    `    const inspection = await inspect(this.#inspected, '${name}', text, options${what ? `, '${what}'` : ''})\n` +
    `    return ${made ? `${made}(inspection)` : 'inspection.answer'}\n  }\n`
  )
}

/** [file, text] of the class that has them. */
export function methodsFile({ calls, groups }) {
  const file = 'page/inspectable.generated.ts'
  const readings = Object.entries(calls).filter(([, { reading }]) => reading)
  const text = `/** The calls of a model that read its inside while it processes a text. */
export class Inspectable {
  readonly #inspected: Inspected

  /** @internal */
  constructor(inspected: Inspected) {
    this.#inspected = inspected
  }

${readings.map(methodOf).join('\n')}}
`
  const types = ['types/text.ts', 'types/lab.ts', 'types/results.ts']
  const known = new Map([
    ...exportedBy(...types, 'page/inspect.ts', 'page/attention.ts', 'page/lab/lab.ts'),
    ...groups.map(group => [group.name, group.file]),
  ])
  return [
    `bindings/js/${file}`,
    `${written('the calls that read the inside of a model.')}${importsFor(file, text, known, name => /^[A-Z]/.test(name))}\n${text}`,
  ]
}

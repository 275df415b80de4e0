// The program's texts: its help, and the next commands for a new project.
import { resolve } from 'node:path'
import { templates } from './templates.mjs'

export const help = () => `npm create heed FOLDER -- --template NAME

Starts a project with Heed, which runs language models in a web page.

Templates:
${templates.map(({ name, about }) => `  ${name.padEnd(10)}  ${about}`).join('\n')}

Options:
  -t, --template NAME   one of the templates; chat if none is given
  -h, --help            this help
  -v, --version         the version, which is Heed's as well`

/** The package manager that runs this program, as it names itself in the environment. */
const packageManager = () => /^(pnpm|yarn|bun|npm)\//.exec(process.env.npm_config_user_agent ?? '')?.[1] ?? 'npm'

const quoted = path => (/^[\w./-]+$/.test(path) ? path : `"${path}"`)

/** The next commands; `folder` is the user's spelling. */
export function nextSteps({ folder, name, template }) {
  const manager = packageManager()
  const { then } = templates.find(one => one.name === template)
  const steps = [
    resolve(folder) !== process.cwd() && `cd ${quoted(folder)}`,
    `${manager} install`,
    `${manager} run ${then?.script ?? 'dev'}`,
  ].filter(Boolean)
  return `
${name} is there, made with the template ${template}. Next:

${steps.map(step => `  ${step}`).join('\n')}
${then?.text ? `\n${then.text}\n` : ''}`
}

// Runs Biome on the project, with the layout and the rules of biome.jsonc.
import { spawnSync } from 'node:child_process'
import { inRoot, root } from '../paths.mjs'
import { execute } from '../running/execute.mjs'

const program = inRoot('node_modules/@biomejs/biome/bin/biome')
const biome = (args, options) => execute(process.execPath, [program, ...args], { cwd: root, ...options })

/** Resolves to the report of a command that checks files: {summary, diagnostics}. */
async function report(command) {
  const { status, stdout } = await biome([command, '--reporter=json', '--max-diagnostics=none'], { capture: true, check: false })
  if (!stdout) throw new Error(`Biome exited with ${status}; \`npx biome ${command}\` shows why`)
  return JSON.parse(stdout)
}

/** Formats the JavaScript and TypeScript of the project. */
export const layOutJavaScript = () => biome(['format', '--write', '--log-level=error'])

/** A text in the layout of its file. */
export function laidOut(path, text) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'format', `--stdin-file-path=${path}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${path} cannot be laid out: ${stderr}`)
  return stdout
}

/** Resolves to {files, differing}: how many files were checked, and a set of those that formatting would change. */
export async function differingJavaScript() {
  const { summary, diagnostics } = await report('format')
  return { files: summary.changed + summary.unchanged, differing: new Set(diagnostics.map(({ location }) => location.path)) }
}

/** Applies the fixes that do not change behavior, and prints the remaining findings. */
export const fixFindings = () => biome(['lint', '--write', '--error-on-warnings'], { check: false })

/** Resolves to {files, found}: how many files were checked, and the findings, {path, line, message, rule}. */
export async function findings() {
  const { summary, diagnostics } = await report('lint')
  return {
    files: summary.changed + summary.unchanged,
    found: diagnostics.map(({ location, message, category }) => ({
      path: location.path,
      line: location.start?.line ?? 1,
      message,
      rule: category,
    })),
  }
}

// Runs Biome's linter on the project, with the rules of biome.jsonc.
import { inRoot, root } from '../paths.mjs'
import { execute } from '../running/execute.mjs'

const lint = (args, options) =>
  execute(process.execPath, [inRoot('node_modules/@biomejs/biome/bin/biome'), 'lint', ...args], { cwd: root, ...options })

/** Applies the fixes that do not change behavior, and prints the remaining findings. */
export const fixFindings = () => lint(['--write', '--error-on-warnings'], { check: false })

/** Resolves to {files, found}: how many files were checked, and the findings, {path, line, message, rule}. */
export async function findings() {
  const { status, stdout } = await lint(['--reporter=json', '--max-diagnostics=none'], { capture: true, check: false })
  if (!stdout) throw new Error(`Biome exited with ${status}; \`npx biome lint\` shows why`)
  const { summary, diagnostics } = JSON.parse(stdout)
  return {
    files: summary.changed + summary.unchanged,
    found: diagnostics.map(({ location, message, category }) =>
      ({ path: location.path, line: location.start?.line ?? 1, message, rule: category })),
  }
}

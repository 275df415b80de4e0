// A plugin for Vite that builds the service worker, with the list of the files that it stores.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const worker = 'service-worker.js'
const source = fileURLToPath(new URL('./service-worker.ts', import.meta.url))

/** The worker's code as a single script, because it is started without imports. */
async function workerCode(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: { write: false, rolldownOptions: { input: source, output: { format: 'iife' } } },
  })
  const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : 'output' in built ? built.output : []
  const [script] = outputs.filter(output => output.type === 'chunk')
  if (!script) throw new Error('offline: the service worker was not built')
  return script.code
}

export const offline = (): Plugin => ({
  name: 'offline',
  apply: 'build',
  async writeBundle({ dir }) {
    if (!dir) throw new Error('offline: the page is built into no folder')
    const code = await workerCode()
    const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .map(name => name.replaceAll('\\', '/'))
      .filter(name => name !== worker && statSync(join(dir, name)).isFile())
      .sort()
    const hash = createHash('sha256').update(code)
    for (const file of files) hash.update(file).update(readFileSync(join(dir, file)))
    const version = hash.digest('hex').slice(0, 16)
    writeFileSync(join(dir, worker), `const siteFiles=${JSON.stringify(files)},siteVersion="${version}";\n${code}`)
  },
})

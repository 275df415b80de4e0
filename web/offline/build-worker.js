// A Vite plugin that builds the service worker as a script without imports and inserts the list of the page's files; a hash of them
// all is the page's version.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'

/** Builds the service worker from `entry` into the file `name`, next to the page. */
export const serviceWorker = (entry, name) => ({
  name: 'heed:service-worker',
  async writeBundle({ dir }) {
    const {
      output: [{ code }],
    } = await build({ input: entry, output: { format: 'iife', minify: true }, write: false })
    const hash = createHash('sha256').update(code)
    const files = readdirSync(dir, { recursive: true })
      .map(name => name.replaceAll('\\', '/'))
      .filter(file => file !== name && statSync(join(dir, file)).isFile())
      .sort()
    for (const file of files) hash.update(file).update(readFileSync(join(dir, file)))
    const list = `const pageFiles=${JSON.stringify(files)},pageVersion="${hash.digest('hex').slice(0, 16)}";\n`
    writeFileSync(join(dir, name), list + code)
  },
})

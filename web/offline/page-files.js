// For Vite: tells the service worker which files make up the page, and gives that set a version.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const pageFiles = serviceWorker => ({
  name: 'heed:page-files',
  writeBundle({ dir }) {
    const path = join(dir, serviceWorker)
    const code = readFileSync(path, 'utf8')
    const hash = createHash('sha256').update(code)
    const names = readdirSync(dir, { recursive: true })
      .map(name => name.replaceAll('\\', '/'))
      .filter(name => name !== serviceWorker && statSync(join(dir, name)).isFile())
      .sort()
    for (const name of names) hash.update(name).update(readFileSync(join(dir, name)))
    const list = `const pageFiles=${JSON.stringify(names)},pageVersion="${hash.digest('hex').slice(0, 16)}"\n`
    writeFileSync(path, list + code)
  },
})

// Installs the development packages of package-lock.json, again whenever that file changes.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { inRoot, root } from './paths.mjs'
import { execute, step } from './toolchain/steps.mjs'

export async function installNpmPackages() {
  const stamp = inRoot('node_modules/.heed-lock')
  const hash = createHash('sha256').update(readFileSync(inRoot('package-lock.json'))).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  await step('install the npm packages', async () => {
    await execute('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: root })
    writeFileSync(stamp, hash)
  })
}

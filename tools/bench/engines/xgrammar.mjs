// XGrammar as a package for pages (https://www.npmjs.com/package/@mlc-ai/web-xgrammar), in the cache folder. Only the benchmark of
// constraints wants it, so no clone installs it.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder } from '../../paths.mjs'
import { execute } from '../../running/execute.mjs'
import { step } from '../../running/steps.mjs'

const name = '@mlc-ai/web-xgrammar', version = '0.1.27'

/** Resolves to the folder with its script index.js; installs it at the first call. */
export async function installXGrammar() {
  const folder = join(cacheFolder(), 'peers', `web-xgrammar-${version}`)
  if (!existsSync(folder)) await step(`install ${name}`, () => install(folder))
  return join(folder, 'node_modules', name, 'lib')
}

async function install(folder) {
  const partial = `${folder}.${process.pid}`
  mkdirSync(partial, { recursive: true })
  writeFileSync(join(partial, 'package.json'), '{}')
  await execute('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`],
    { cwd: partial, log: join(dirname(folder), 'npm.log') })
    .catch(error => { throw new Error(`--vs xgrammar: ${error.message}`) })
  rmSync(folder, { recursive: true, force: true })
  renameSync(partial, folder)
}

// Other engines' npm packages, in the cache folder. Only the benchmark wants them, so no clone installs them.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder } from '../../paths.mjs'
import { execute } from '../../running/execute.mjs'
import { step } from '../../running/steps.mjs'

/**
 * Resolves to the folder that holds `packages` ({name: version}) in node_modules; installs them at the first call. A `variant`, {name,
 * change(folder)}, has a folder of its own, which it changes.
 */
export async function installPeer(peer, packages, variant) {
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
  const folder = join(cacheFolder(), 'peers', [wanted[0], variant?.name].filter(Boolean).join('-').replaceAll('/', '-'))
  if (!existsSync(folder)) await step(`install ${wanted[0]}`, () => install(peer, wanted, folder, variant))
  return folder
}

async function install(peer, wanted, folder, variant) {
  const partial = `${folder}.${process.pid}`
  mkdirSync(partial, { recursive: true })
  writeFileSync(join(partial, 'package.json'), '{}')
  await execute('npm', ['install', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', ...wanted], {
    cwd: partial,
    log: join(dirname(folder), 'npm.log'),
  }).catch(error => {
    throw new Error(`--vs ${peer}: ${error.message}`)
  })
  variant?.change(partial)
  rmSync(folder, { recursive: true, force: true })
  renameSync(partial, folder)
}

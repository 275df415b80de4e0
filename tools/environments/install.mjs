// Installs projects' dependencies in the cache folder, once per set of dependencies. Heed itself is not among them: projects
// get it from the packed tarball, so that a change of Heed does not cause a new installation.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../paths.mjs'
import { sweep } from '../running/leftovers.mjs'
import { step } from '../running/steps.mjs'
import { runGroup } from './processes.mjs'

export const environmentsFolder = () => join(cacheFolder(), 'environments')

/** Something that cannot be obtained here: a test that needs it is skipped instead of failing. */
export class Unavailable extends Error {}

const noNetwork = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/

const patience = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-factor=3']

/** Whether npm has failed to reach its registry, so that it is not tried again. */
let offline = false

/** A package.json with only the dependencies of another, without Heed. */
function wanted({ dependencies, devDependencies }) {
  const { heed, ...others } = { ...dependencies, ...devDependencies }
  return { private: true, dependencies: others }
}

const megabytes = folder => {
  const [kilobytes] = execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')
  return `${Math.round(kilobytes / 1024)} MB`
}

/**
 * The node_modules folder with the dependencies of `packageJson`, or undefined if it has none. Throws Unavailable without a
 * network.
 */
export async function installed(name, packageJson) {
  const text = JSON.stringify(wanted(packageJson), null, 2)
  if (Object.keys(wanted(packageJson).dependencies).length === 0) return undefined
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const folder = join(environmentsFolder(), 'installs', `${name}-${hash}`)
  if (existsSync(folder)) return join(folder, 'node_modules')
  const unavailable = () => new Unavailable(`npm cannot reach its registry to install for ${name}`)
  if (offline) throw unavailable()
  sweep(join(environmentsFolder(), 'installs'))
  const partial = `${folder}.${process.pid}`
  mkdirSync(partial, { recursive: true })
  writeFileSync(join(partial, 'package.json'), text)
  await step(`install for ${name}`, async () => {
    const args = [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      '--no-package-lock',
      ...patience,
      '--cache',
      join(environmentsFolder(), 'npm'),
    ]
    const { status, output } = await runGroup('npm', args, { cwd: partial, seconds: 900 })
    if (status === 0) return console.log(`  ${name}: ${megabytes(partial)}`)
    rmSync(partial, { recursive: true, force: true })
    offline = noNetwork.test(output)
    if (offline) throw unavailable()
    throw new Error(`npm install for ${name} exited with ${status}:\n${output}`)
  })
  try {
    renameSync(partial, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error // otherwise another run was faster
    rmSync(partial, { recursive: true, force: true })
  }
  return join(folder, 'node_modules')
}

/** The folder of a Node binary of a major version: this process's, or one from npm. */
export async function nodeFolder(major) {
  const [dirname, current] = [join(process.execPath, '..'), process.versions.node.split('.')[0]]
  if (Number(current) === major) return dirname
  const name = `node-${process.platform}-${process.arch}`
  const modules = await installed(`node${major}`, { dependencies: { [name]: `^${major}.0.0` } })
  return join(modules, name, 'bin')
}

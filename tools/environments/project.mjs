// A project that uses Heed: a fresh copy of its files, with Heed and its dependencies installed.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { root } from '../paths.mjs'
import { environmentsFolder, installed, nodeFolder } from './install.mjs'
import { copyFolder } from '../running/copy-folder.mjs'
import { sweep } from '../running/leftovers.mjs'
import { freePort } from '../running/free-port.mjs'
import { runGroup, startGroup } from './processes.mjs'
import { unpackHeed } from './tarball.mjs'

const startSeconds = 90

/** Whether a server responds at a URL, with any status. */
const answers = url =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(30_000) })
    .then(response => response.arrayBuffer())
    .then(
      () => true,
      () => false,
    )

async function untilAnswers(url) {
  while (!(await answers(url))) await new Promise(resolve => setTimeout(resolve, 100))
}

/**
 * Copies the folder `source`, a path in this checkout or an absolute one, so that the project cannot find any of our files. `versions` overrides
 * those in its package.json, `files` adds or replaces files, `node` is the major version of Node that runs its programs.
 * Resolves to {name, folder, heed, packageJson, run(...), exec(...), serve(...), close()}; `heed` is the installed package's
 * folder.
 */
export async function openProject(name, { source, versions = {}, files = {}, node } = {}) {
  const packageJson = JSON.parse(readFileSync(resolve(root, source, 'package.json'), 'utf8'))
  for (const list of [packageJson.dependencies ?? {}, packageJson.devDependencies ?? {}]) {
    for (const key of Object.keys(list)) list[key] = versions[key] ?? list[key]
  }
  const modules = await installed(name, packageJson)
  const nodeBin = node && (await nodeFolder(node))

  const runs = join(environmentsFolder(), 'runs')
  sweep(runs)
  const folder = join(runs, `${name}.${process.pid}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(runs, { recursive: true })
  cpSync(resolve(root, source), folder, {
    recursive: true,
    filter: path => !/[\\/](node_modules|dist|\.next|\.svelte-kit|\.astro)$/.test(path),
  })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  if (modules) copyFolder(modules, join(folder, 'node_modules'))
  const heed = unpackHeed(join(folder, 'node_modules'))

  const path = [nodeBin, process.env.PATH].filter(Boolean).join(delimiter)
  const options = extra => ({ cwd: folder, env: { PATH: path, ...extra } })
  const started = []

  return {
    name,
    folder,
    heed,
    packageJson,
    /** Runs a program until it exits; resolves to {status, output}. */
    exec: (command, args, { env, seconds } = {}) => runGroup(command, args, { ...options(env), seconds }),
    /** Runs a script of package.json; resolves to its output. */
    async run(script, { seconds } = {}) {
      const { status, output } = await runGroup('npm', ['run', script], { ...options(), seconds })
      if (status !== 0) throw new Error(`${name}: npm run ${script} exited with ${status}\n${output}`)
      return output
    },
    /** Starts a script that serves, with the arguments `args(port)`. Resolves to {url, output(), stop()} once it responds. */
    async serve(script, args, { path = '' } = {}) {
      const port = await freePort()
      const server = startGroup('npm', ['run', script, '--', ...args(port)], options({ PORT: port }))
      started.push(server)
      const url = `http://localhost:${port}/${path}`
      const ended = server.ended.then(status => {
        throw new Error(`${name}: npm run ${script} exited with ${status}\n${server.output()}`)
      })
      ended.catch(() => {})
      await server.within(Promise.race([untilAnswers(url), ended]), startSeconds, `an answer at ${url}`)
      return { url, output: server.output, stop: server.stop }
    },
    async close() {
      for (const server of started) await server.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** The path of a file or folder that a build must have produced. */
export function built(project, name) {
  const path = join(project.folder, name)
  if (!existsSync(path)) throw new Error(`${project.name}: the build did not produce ${name}`)
  return path
}

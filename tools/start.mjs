// `npm start` sets up what is missing, builds the page and serves it (`-- --port N --host ADDRESS`). What most browsers need is built
// first and served at once; the other WebAssembly modules are built behind it.
import { parseArgs } from 'node:util'
import { allModuleNames, buildModule, isKept } from './building/modules.mjs'
import { installNpmPackages } from './building/npm.mjs'
import { buildPageWithoutModules, fillPage } from './building/page.mjs'
import { inRoot } from './paths.mjs'
import { say, warn } from './running/steps.mjs'
import { serve } from './serve.mjs'
import { buildingSite } from './start/building-site.mjs'
import { openToolchain } from './toolchain/index.mjs'

const portsToTry = 20
const neededFor = {
  simd128: 'browsers without relaxed SIMD, such as Safari',
  memory64: 'models that 4 GB do not hold',
  constraints: 'answers in a form',
}

/** Serves on the first free port, starting at `port`. */
async function serveFrom(port, options) {
  for (let i = 0; i < portsToTry; i++) {
    try {
      return await serve(inRoot('build/page'), { ...options, port: port + i })
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error
    }
  }
  throw new Error(`no free port from ${port} to ${port + portsToTry - 1}`)
}

/** Builds a module and puts it into the page. */
async function addModule(toolchain, name, report) {
  await buildModule(toolchain, name, { report })
  await fillPage(name)
}

/** Promises of modules, each built after the one before. */
function inTurn(names, build) {
  const building = {}
  let before = Promise.resolve()
  for (const name of names) {
    building[name] = before.then(() => build(name))
    before = building[name].catch(() => {})
  }
  return building
}

async function main() {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '8080' }, host: { type: 'string', default: '127.0.0.1' } },
  })
  say('The first start takes some minutes, to set up a toolchain and to compile; later ones take seconds.')
  const [toolchain] = await Promise.all([
    openToolchain({ native: false }),
    installNpmPackages().then(buildPageWithoutModules),
  ])
  const others = allModuleNames.filter((name, index) => index > 0 && !isKept(toolchain, name))
  for (const name of allModuleNames) if (!others.includes(name)) await addModule(toolchain, name)

  const building = inTurn(others, name => addModule(toolchain, name, progress => site.report(progress)))
  const site = buildingSite(building, inRoot('build/page/index.html'))
  const { url } = await serveFrom(Number(values.port), { host: values.host, compressed: true, ...site })
  say(`\nHeed is at ${url} (Ctrl-C ends it)`)
  for (const name of others) say(`Still being built: heed-${name}, for ${neededFor[name]}`)
  if (others.length === 0) return
  const results = await Promise.allSettled(Object.values(building))
  for (const { reason } of results) if (reason) warn(reason.message)
  say(results.every(({ reason }) => !reason) ? 'All modules are built.' : 'A module could not be built; what needs it does not work.')
}

await main().catch(error => {
  warn(error.message)
  process.exitCode = 1
})

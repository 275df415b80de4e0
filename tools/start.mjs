// `npm start` sets up what is missing, builds the page and serves it (`-- --port N --host ADDRESS`). The page is served at once,
// while the WebAssembly modules are being built, first the one that most browsers need.
import { parseArgs } from 'node:util'
import { buildManual } from './building/manual.mjs'
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
  constraints: 'constrained answers',
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

/** Promises of modules, each built after the previous one. */
function inTurn(names, build) {
  const building = {}
  let before = Promise.resolve()
  for (const name of names) {
    building[name] = before.then(() => build(name))
    before = building[name].catch(() => {})
  }
  return building
}

/** Serves the page as soon as it is built. The modules that run models may take minutes longer, as the page then says. */
async function main() {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '8080' }, host: { type: 'string', default: '127.0.0.1' } },
  })
  say('The first start takes some minutes, to set up a toolchain and to compile; later ones take seconds.')
  const page = installNpmPackages().then(buildPageWithoutModules)
  const manual = page.then(() => buildManual()) // served once it is there; nothing waits for it
  manual.catch(() => {}) // told at the end
  let opened
  const opening = openToolchain({ native: false }).then(toolchain => {
    opened = toolchain
  })

  const [first, ...others] = allModuleNames
  const building = inTurn(allModuleNames, async name => {
    await (name === first ? Promise.all([opening, page]) : building[first])
    await buildModule(opened, name, { report: progress => site.report(progress) })
    await fillPage(name)
  })
  const site = buildingSite(building, inRoot('build/page/index.html'))
  site.report('its compilers are being set up')
  await Promise.race([page, Promise.all([opening, page])]) // a toolchain that fails first ends the start

  const isKeptModule = name => opened !== undefined && isKept(opened, name)
  const server = await serveFrom(Number(values.port), { host: values.host, compressed: true, ...site })
  if (!isKeptModule(first))
    say(`\nThe page is at ${server.url} already. Its engine is still being compiled, and the page says how far that is.`)
  try {
    await building[first]
  } catch (error) {
    server.close()
    throw error
  }
  const missing = others.filter(name => !isKeptModule(name))
  say(`\nHeed is at ${server.url} (Ctrl-C ends it)`)
  for (const name of missing) say(`Still being built: heed-${name}, for ${neededFor[name]}`)
  say(`The manual is at ${server.url}manual/`)
  const results = await Promise.allSettled([...Object.values(building), manual])
  for (const { reason } of results) if (reason) warn(reason.message)
  if (missing.length > 0)
    say(
      results.every(({ reason }) => !reason)
        ? 'All modules are built.'
        : 'A module could not be built; what needs it does not work.',
    )
}

await main().catch(error => {
  warn(error.message)
  process.exitCode = 1
})

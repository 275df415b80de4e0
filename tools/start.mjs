// `npm start` sets up what is missing, builds the page and serves it (`-- --port N --host ADDRESS`).
import { parseArgs } from 'node:util'
import { buildPage } from './build.mjs'
import { installNpmPackages } from './npm.mjs'
import { inRoot } from './paths.mjs'
import { serve } from './serve.mjs'
import { openToolchain } from './toolchain/index.mjs'

const portsToTry = 20

/** Serves on the first free port, starting at `port`. */
async function serveFrom(port, host) {
  for (let i = 0; i < portsToTry; i++) {
    try {
      return await serve(inRoot('build/page'), { host, port: port + i })
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error
    }
  }
  throw new Error(`no free port from ${port} to ${port + portsToTry - 1}`)
}

try {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '8080' }, host: { type: 'string', default: '127.0.0.1' } },
  })
  console.log('The first start takes some minutes, to set up a toolchain and to compile; later ones take less than one.')
  const toolchain = await openToolchain()
  await installNpmPackages()
  await buildPage(toolchain)
  const { url } = await serveFrom(Number(values.port), values.host)
  console.log(`\nHeed is at ${url} (Ctrl-C ends it)`)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

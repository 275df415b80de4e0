// `npm run docs` builds the manual into build/page/manual; `npm run docs -- --serve` (`--port N --host ADDRESS`) serves the page with it.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { installNpmPackages } from '../building/npm.mjs'
import { inRoot } from '../paths.mjs'
import { say, warn } from '../running/steps.mjs'
import { serve } from '../serve.mjs'

async function main() {
  const { values } = parseArgs({
    options: {
      serve: { type: 'boolean', default: false },
      port: { type: 'string', default: '8080' },
      host: { type: 'string', default: '127.0.0.1' },
    },
  })
  await installNpmPackages()
  const { buildManual } = await import('../building/manual.mjs') // not earlier: npm's packages may just have been installed
  await buildManual()
  if (!values.serve) return
  if (!existsSync(inRoot('build/page/index.html'))) say('The page itself is not built: `npm run build -- page` does that.')
  const { url } = await serve(inRoot('build/page'), { host: values.host, port: Number(values.port), compressed: true })
  say(`\nThe manual is at ${url}manual/ (Ctrl-C ends it)`)
}

await main().catch(error => {
  warn(error.message)
  process.exitCode = 1
})

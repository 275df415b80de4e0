// `npm run release`: in a clean checkout, runs all tests in all environments, then packs the tarballs to publish and tries them. It does not
// publish, but says how. `npm run release -- --tagged` is what the workflow of a tag runs after its tests: it builds, packs and tries.
import { parseArgs } from 'node:util'
import { root } from './paths.mjs'
import { checkSources, tag } from './release/check.mjs'
import { packAll } from './release/pack.mjs'
import { tryTarballs } from './release/try.mjs'
import { execute } from './running/execute.mjs'
import { step } from './running/steps.mjs'

async function testAll() {
  await execute('npm', ['test'], { cwd: root })
  await execute('npm', ['run', 'test:all'], {
    cwd: root,
    env: { ...process.env, HEED_ENVIRONMENTS: 'all', HEED_TEST_MINUTES: 'all' },
  })
}

try {
  const { tagged } = parseArgs({ options: { tagged: { type: 'boolean', default: false } } }).values
  await checkSources({ tagged })
  if (tagged) await execute('npm', ['run', 'build', '--', 'package'], { cwd: root })
  else await testAll() // which builds the package
  await checkSources({ tagged }) // there may be changes by now
  const tarballs = await packAll()
  await step('try the tarballs', () => tryTarballs(tarballs))
  const next = `git tag ${tag} && git push origin ${tag}, whose workflow publishes them`
  console.log(`\n${Object.values(tarballs).join('\n')}\nare ready${tagged ? '' : `:\n  ${next}`}`)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

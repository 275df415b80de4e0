// `npm run release`: in a clean checkout, runs all tests in all environments, then packs the tarball to publish and tries it.
// It does not publish, but prints the command for that.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inRoot, root } from './paths.mjs'
import { execute } from './running/execute.mjs'
import { step } from './running/steps.mjs'

const { name, version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
const capture = async (command, args, options) => (await execute(command, args, { cwd: root, ...options, capture: true })).stdout

/** Finds mistakes that should not be discovered only after publishing. */
async function checkSources() {
  const changes = await capture('git', ['status', '--porcelain'])
  if (changes.trim()) throw new Error(`there are uncommitted changes:\n${changes}`)
  if (!readFileSync(inRoot('CHANGELOG.md'), 'utf8').includes(`\n## ${version}\n`)) {
    throw new Error(`CHANGELOG.md has no section "## ${version}": rename "Unreleased", or set the version in package.json`)
  }
  if ((await capture('git', ['tag', '--list', `v${version}`])).trim()) throw new Error(`v${version} is already released`)
}

/** Installs the tarball in an empty project and generates text there with the bundled model. */
async function tryTarball(tarball) {
  const project = mkdtempSync(join(tmpdir(), 'heed-release-'))
  try {
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      join(project, 'index.js'),
      `
      import { loadModel } from '${name}'
      const model = await loadModel()
      const { text } = await model.generate('Write a story about a fox and a lantern.', { maxTokens: 20, seed: 1 })
      if (!text) throw new Error('no text')
      await model.dispose()`,
    )
    await execute('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: project })
    await execute(process.execPath, ['index.js'], { cwd: project })
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

try {
  await checkSources()
  await execute('npm', ['test'], { cwd: root })
  await execute('npm', ['run', 'test:all'], {
    cwd: root,
    env: { ...process.env, HEED_ENVIRONMENTS: 'all', HEED_TEST_MINUTES: 'all' },
  })
  await checkSources() // they may have changed meanwhile
  const folder = inRoot('build/release')
  mkdirSync(folder, { recursive: true })
  const [{ filename }] = Object.values(
    JSON.parse(await capture('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder])),
  ) // `npm run test:all` has built it
  const tarball = join(folder, filename)
  await step(`try ${filename}`, () => tryTarball(tarball))
  console.log(`\n${tarball} is ready:\n  git tag v${version} && git push origin v${version} && npm publish ${tarball}`)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

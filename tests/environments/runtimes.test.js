// The examples outside browsers: all supported versions of Node, Deno and Bun; and two test runners.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { environment, expectedStory } from './support.mjs'

const seconds = 60

/** Checks that a program printed the story and its number of threads, and exited. */
async function assertToldStory({ status, output }) {
  assert.equal(status, 0, output)
  assert.match(output, /Threads: \d/)
  assert.ok(output.includes(await expectedStory()), output)
}

for (const major of [20, 22, 24, 26]) {
  environment(`node ${major}`, { source: 'examples/node', node: major, quick: major === 20 || major === 26 }, async project => {
    for (const program of ['main.js', 'main.cjs']) {
      await assertToldStory(await project.exec('node', [program], { seconds }))
    }
  })
}

/** The binaries that the npm packages' install scripts would choose; such scripts do not run here. */
const binaries = {
  deno: ['glibc', ''].map(libc => ['@deno', `${process.platform}-${process.arch}${libc && `-${libc}`}`, 'deno']),
  bun: [['@oven', `bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`, 'bin', 'bun']],
}

for (const [name, places] of Object.entries(binaries)) {
  environment(name, { source: `examples/${name}`, quick: true }, async project => {
    const paths = places.map(place => join(project.folder, 'node_modules', ...place))
    const binary = paths.find(path => existsSync(path))
    assert.ok(binary, `none of ${paths.join(', ')}`)
    const [, ...args] = project.packageJson.scripts.start.split(' ')
    await assertToldStory(await project.exec(binary, args, { seconds }))
  })
}

environment('jest, CommonJS', { source: 'tests/environments/projects/jest', install: 'jest', quick: true }, async project => {
  const { status, output } = await project.exec('npm', ['test'], { seconds, env: { STORY: await expectedStory() } })
  assert.equal(status, 0, output)
  assert.doesNotMatch(output, /did not exit|worker process has failed to exit/)
})

environment('vitest', { source: 'tests/environments/projects/vitest', install: 'vitest', node: 26 }, async project => {
  const { status, output } = await project.exec('npm', ['test'], { seconds, env: { STORY: await expectedStory() } })
  assert.equal(status, 0, output)
})

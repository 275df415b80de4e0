// The examples with bundlers: development servers and builds.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { built } from '../../tools/environments/project.mjs'
import { assertNoWarnings, environment, useChromium } from './support.mjs'

const { tellsStory, worksOnStaticHosts } = useChromium()

const vitePort = port => ['--port', port, '--strictPort']
const examples = {
  vite: { serves: { dev: vitePort, preview: vitePort }, folder: 'dist' },
  webpack: { serves: { dev: port => ['--port', port, '--no-open'] }, folder: 'dist' },
  parcel: { serves: { dev: port => ['--port', port] }, folder: 'dist' },
  esbuild: { serves: { serve: port => ['--listen', port] }, folder: 'www' },
  rollup: { serves: { serve: port => ['--listen', port] }, folder: 'www' },
}

/** The values that the on-demand scripts of the engine's worker define; each name also occurs elsewhere. */
const definitions = ['heedStore', 'heed-constraints', 'heed-lab']

/** The definitions whose scripts a folder lacks, under any name. */
function lacking(folder) {
  const scripts = readdirSync(folder, { recursive: true })
    .filter(path => path.endsWith('.js'))
    .map(path => readFileSync(join(folder, path), 'utf8'))
  return definitions.filter(name => scripts.filter(script => script.includes(name)).length < 2)
}

for (const [name, { serves, folder }] of Object.entries(examples)) {
  environment(name, { source: `examples/${name}`, quick: true }, async project => {
    if (serves.dev) {
      const server = await project.serve('dev', serves.dev)
      await tellsStory(server.url)
      assertNoWarnings(server.output())
      await server.stop()
    }
    assertNoWarnings(await project.run('build'))
    assert.deepEqual(lacking(built(project, folder)), [])
    await worksOnStaticHosts(built(project, folder))
    const { dev, ...others } = serves
    for (const [script, args] of Object.entries(others)) {
      const server = await project.serve(script, args)
      await tellsStory(server.url)
      await server.stop()
    }
  })
}

environment(
  "esbuild, Heed's files in a folder of their own",
  {
    source: 'examples/esbuild',
    install: 'esbuild',
    files: {
      'main.js': `
      import { loadModel } from 'heed'
      const model = await loadModel(undefined, { assets: '/heed/' })
      document.querySelector('#threads').textContent = model.info.threads
      const messages = [{ role: 'user', content: 'Write a story about a fox and a lantern.' }]
      for await (const event of model.chat(messages, { seed: 7 })) {
        if (event.type === 'text') document.querySelector('#story').append(event.delta)
      }`,
      'build.js': `
      import { cpSync } from 'node:fs'
      import { build } from 'esbuild'
      await build({ entryPoints: ['main.js'], bundle: true, format: 'esm', outdir: 'www' })
      cpSync('node_modules/heed/dist', 'www/heed', { recursive: true })`,
    },
  },
  async project => {
    assertNoWarnings(await project.run('build'))
    await worksOnStaticHosts(built(project, 'www'))
  },
)

// esbuild's default: a classic script without import.meta, about which esbuild warns.
environment(
  'esbuild, no module',
  {
    source: 'examples/esbuild',
    install: 'esbuild',
    files: {
      'main.js': `
      import { loadModel } from 'heed'
      loadModel().then(async model => {
        document.querySelector('#threads').textContent = model.info.threads
        const messages = [{ role: 'user', content: 'Write a story about a fox and a lantern.' }]
        for await (const event of model.chat(messages, { seed: 7 })) {
          if (event.type === 'text') document.querySelector('#story').append(event.delta)
        }
      })`,
      'build.js': `
      import { cpSync, readFileSync, writeFileSync } from 'node:fs'
      import { build } from 'esbuild'
      await build({ entryPoints: ['main.js'], bundle: true, outdir: 'www' })
      cpSync('node_modules/heed/dist', 'www', { recursive: true })
      const page = readFileSync('www/index.html', 'utf8')
      writeFileSync('www/index.html', page.replace('type="module"', 'defer'))`,
    },
  },
  async project => {
    await project.run('build')
    await worksOnStaticHosts(built(project, 'www'))
  },
)

// Older versions of Vite, and typical projects with Vite.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { built } from '../../tools/environments/project.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { assertNoWarnings, environment, useChromium } from './support.mjs'

const { read, tellsStory, worksOnStaticHosts } = useChromium()

const vitePort = port => ['--port', port, '--strictPort']
const config = options => `
  const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }
  export default { server: { headers }, preview: { headers }, ${options} }`

// Before Vite 8, the development server moves a package's modules but not the files that they refer to, unless configured not
// to, and builds do not support top-level await.
for (const version of [5, 6, 7]) {
  const project = {
    source: 'examples/vite',
    install: `vite${version}`,
    versions: { vite: `^${version}.0.0` },
    quick: version === 7,
    files: { 'main.js': readFileSync(inRoot('examples/parcel/main.js')) },
  }

  environment(`vite ${version}`, project, async project => {
    const server = await project.serve('dev', vitePort)
    await tellsStory(server.url)
    assertNoWarnings(server.output())
    await server.stop()
    assertNoWarnings(await project.run('build'))
    await worksOnStaticHosts(built(project, 'dist'))
  })

  environment(
    `vite ${version}, told not to move Heed`,
    {
      ...project,
      quick: false,
      files: { ...project.files, 'vite.config.js': config("optimizeDeps: { exclude: ['heed'] }") },
    },
    async project => {
      const server = await project.serve('dev', vitePort)
      await tellsStory(server.url)
      assertNoWarnings(server.output())
    },
  )
}

// A workspace's packages are in a folder above its projects, where an older Vite's copy of Heed does not find its files.
for (const version of [7, 8]) {
  const site = Object.fromEntries(
    ['index.html', 'main.js', 'vite.config.js'].map(name => [`apps/site/${name}`, readFileSync(inRoot('examples/vite', name))]),
  )
  environment(
    `vite ${version}, in a workspace`,
    {
      source: 'examples/vite',
      install: version === 8 ? 'vite' : `vite${version}`,
      versions: version === 8 ? {} : { vite: `^${version}.0.0` },
      files: {
        ...site,
        'package.json': '{ "private": true, "workspaces": ["apps/*"], "scripts": { "dev": "vite apps/site" } }',
        'apps/site/package.json': '{ "name": "site", "private": true, "type": "module", "dependencies": { "heed": "*" } }',
      },
    },
    async project => {
      const server = await project.serve('dev', vitePort)
      const seen = await read(server.url).catch(error => error)
      if (seen instanceof Error) assert.match(seen.message, /optimizeDeps.*exclude/s)
      else assert.deepEqual(seen.problems, [])
    },
  )
}

environment(
  'vite, React and TypeScript',
  {
    source: 'tests/environments/projects/react',
    install: 'react',
  },
  async project => {
    const server = await project.serve('dev', vitePort)
    await tellsStory(server.url)
    await server.stop()
    assertNoWarnings(await project.run('build'))
    await worksOnStaticHosts(built(project, 'dist'))
  },
)

environment(
  "vite, in the project's own worker",
  {
    source: 'examples/vite',
    install: 'vite',
    files: {
      'main.js': `
      const worker = new Worker(new URL('./storyteller.js', import.meta.url), { type: 'module' })
      worker.onmessage = ({ data: { threads, text } }) => {
        if (threads) document.querySelector('#threads').textContent = threads
        else document.querySelector('#story').append(text)
      }`,
      'storyteller.js': `
      import { loadModel } from 'heed'
      const model = await loadModel()
      self.postMessage({ threads: model.info.threads })
      const messages = [{ role: 'user', content: 'Write a story about a fox and a lantern.' }]
      for await (const event of model.chat(messages, { seed: 7 })) {
        if (event.type === 'text') self.postMessage({ text: event.delta })
      }`,
      'vite.config.js': config("worker: { format: 'es' }"),
    },
  },
  async project => {
    const server = await project.serve('dev', vitePort)
    await tellsStory(server.url)
    await server.stop()
    assertNoWarnings(await project.run('build'))
    await worksOnStaticHosts(built(project, 'dist'))
  },
)

// Vite's older versions, and what people build with it.
import assert from 'node:assert/strict'
import { built } from '../../tools/environments/project.mjs'
import { assertNoWarnings, environment, useChromium } from './support.mjs'

const { read, tellsStory, worksOnStaticHosts } = useChromium()

const vitePort = port => ['--port', port, '--strictPort']
const config = options => `
  const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }
  export default { server: { headers }, preview: { headers }, ${options} }`

// Before Vite 8 its optimizer moved a package's modules and left behind the files that they name.
for (const version of [5, 6, 7]) {
  const project = { source: 'examples/vite', install: `vite${version}`, versions: { vite: `^${version}.0.0` } }

  environment(`vite ${version}, not optimized`, {
    ...project, quick: version === 7, files: { 'vite.config.js': config("optimizeDeps: { exclude: ['heed'] }") },
  }, async project => {
    const server = await project.serve('dev', vitePort)
    await tellsStory(server.url)
    assertNoWarnings(server.output())
    await server.stop()
    assertNoWarnings(await project.run('build'))
    await worksOnStaticHosts(built(project, 'dist'))
  })

  environment(`vite ${version}, optimized`, { ...project, quick: version === 7 }, async project => {
    const server = await project.serve('dev', vitePort)
    const seen = await read(server.url).catch(error => error)
    if (seen instanceof Error) assert.match(seen.message, /HeedError.*optimizeDeps.*exclude/s)
    else assert.deepEqual(seen.problems, [])
  })
}

environment('vite, React and TypeScript', {
  source: 'tests/environments/projects/react', install: 'react',
}, async project => {
  const server = await project.serve('dev', vitePort)
  await tellsStory(server.url)
  await server.stop()
  assertNoWarnings(await project.run('build'))
  await worksOnStaticHosts(built(project, 'dist'))
})

environment("vite, in the project's own worker", {
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
      for await (const { text } of model.generate('Write a story about a fox and a lantern.', { seed: 7 })) {
        self.postMessage({ text })
      }`,
    'vite.config.js': config("worker: { format: 'es' }"),
  },
}, async project => {
  const server = await project.serve('dev', vitePort)
  await tellsStory(server.url)
  await server.stop()
  assertNoWarnings(await project.run('build'))
  await worksOnStaticHosts(built(project, 'dist'))
})

// The examples with a bundler: served while they are developed, and built.
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

for (const [name, { serves, folder }] of Object.entries(examples)) {
  environment(name, { source: `examples/${name}`, quick: true }, async project => {
    if (serves.dev) {
      const server = await project.serve('dev', serves.dev)
      await tellsStory(server.url)
      assertNoWarnings(server.output())
      await server.stop()
    }
    assertNoWarnings(await project.run('build'))
    await worksOnStaticHosts(built(project, folder))
    const { dev, ...others } = serves
    for (const [script, args] of Object.entries(others)) {
      const server = await project.serve(script, args)
      await tellsStory(server.url)
      await server.stop()
    }
  })
}

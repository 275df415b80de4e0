// The examples with frameworks that also render on the server or at build time.
import { built } from '../../tools/environments/project.mjs'
import { assertNoWarnings, environment, useChromium } from './support.mjs'

const { tellsStory, worksOnStaticHosts } = useChromium()

const vitePort = port => ['--port', port, '--strictPort']
const staticSites = {
  sveltekit: { node: 26, args: vitePort, folder: 'build' },
  astro: { node: 26, args: port => ['--port', port], folder: 'dist' },
}

for (const [name, { args, folder, node }] of Object.entries(staticSites)) {
  environment(name, { source: `examples/${name}`, quick: true, node }, async project => {
    const server = await project.serve('dev', args)
    await tellsStory(server.url)
    assertNoWarnings(server.output())
    await server.stop()
    assertNoWarnings(await project.run('build'))
    await worksOnStaticHosts(built(project, folder))
    const preview = await project.serve('preview', args)
    await tellsStory(preview.url)
  })
}

environment('vue', { source: 'examples/vue' }, async project => {
  const server = await project.serve('dev', vitePort)
  await tellsStory(server.url)
  assertNoWarnings(server.output())
  await server.stop()
  assertNoWarnings(await project.run('build'))
  await worksOnStaticHosts(built(project, 'dist'))
})

for (const script of ['dev', 'build']) {
  environment(`nuxt ${script}`, { source: 'examples/nuxt', install: 'nuxt', node: 26 }, async project => {
    if (script === 'build') await project.run('build')
    const server = await project.serve(script === 'build' ? 'start' : 'dev', port => (script === 'build' ? [] : ['--port', port]))
    await tellsStory(server.url)
  })
}

environment('angular', { source: 'examples/angular', node: 26 }, async project => {
  const server = await project.serve('dev', port => ['--port', port])
  await tellsStory(server.url)
  await server.stop()
  assertNoWarnings(await project.run('build'))
  await worksOnStaticHosts(built(project, 'dist/browser'))
})

for (const [bundler, suffix] of [
  ['Turbopack', ''],
  ['webpack', ':webpack'],
]) {
  for (const script of ['dev', 'build']) {
    const options = { source: 'examples/next', install: 'next', quick: bundler === 'Turbopack' }
    environment(`next ${script}, ${bundler}`, options, async project => {
      if (script === 'build') assertNoWarnings(await project.run(`build${suffix}`))
      const server = await project.serve(script === 'build' ? 'start' : `dev${suffix}`, port => ['--port', port])
      await tellsStory(server.url)
      assertNoWarnings(server.output())
    })
  }
}

// Pages without a bundler: with the package on another origin, with an import map, and under restrictive policies.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isolation, shared, siteFolder, startHost } from '../../tools/environments/host.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { environment, useChromium } from './support.mjs'

const { tellsStory, worksOnStaticHosts } = useChromium()

const page = (head, from = './heed/index.js', first = '') => `<!doctype html>
  <meta charset="utf-8">
  <link rel="icon" href="data:,">
  ${head}
  <p id="story"></p>
  <output id="threads"></output>
  <script type="module">
    import { loadModel } from '${from}'
    ${first}
    const model = await loadModel()
    document.querySelector('#threads').textContent = model.info.threads
    const messages = [{ role: 'user', content: 'Write a story about a fox and a lantern.' }]
    for await (const event of model.chat(messages, { seed: 7 })) {
      if (event.type === 'text') document.querySelector('#story').append(event.delta)
    }
  </script>`

let site
let cdn
before(async () => {
  site = siteFolder({
    'plain/index.html': page('', '../heed/index.js'),
    'index.html': page(''),
    'isolating.html': page(
      '',
      './heed/index.js',
      `
      const { isolate } = await import('./heed/isolation.js')
      await isolate()`,
    ),
    'heed-isolation.js': readFileSync(inRoot('dist/heed-isolation.js')),
    'map.html': page('<script type="importmap">{ "imports": { "heed": "./heed/index.js" } }</script>', 'heed'),
  })
  cdn = await startHost(inRoot(), { headers: shared })
})
after(async () => {
  await cdn?.close()
  site?.close()
})

/** Checks a page of the site, served with these headers. */
async function tells(path, headers, expected) {
  const host = await startHost(site.folder, { headers })
  try {
    await tellsStory(`${host.url}${path}`, expected)
  } finally {
    await host.close()
  }
}

const policies = {
  "'self' and 'wasm-unsafe-eval'":
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; " + "connect-src 'self'; img-src data:",
  'Trusted Types': "require-trusted-types-for 'script'; trusted-types heed",
}
for (const [name, policy] of Object.entries(policies)) {
  test(`a page with the policy ${name}`, () => tells('', { ...isolation, 'Content-Security-Policy': policy }))
}

test('a page in a folder', () => tells('plain/', isolation))
test('a page with an import map', () => tells('map.html', isolation))
test('a page with the isolation headers, credentialless', () =>
  tells('', { ...isolation, 'Cross-Origin-Embedder-Policy': 'credentialless' }))
test('a page without the isolation headers', () => tells('', {}, { isolated: false }))
test('a page without the isolation headers that isolates itself', () => tells('isolating.html', {}))

environment('html, Heed from another origin', { source: 'examples/html', install: 'html', quick: true }, async project => {
  const path = join(project.folder, 'index.html')
  const fromCdn = /https:\/\/cdn\.jsdelivr\.net\/npm\/heed@[\d.]+\//
  const text = readFileSync(path, 'utf8')
  assert.match(text, fromCdn)
  writeFileSync(path, text.replace(fromCdn, cdn.url))
  const server = await project.serve('start', port => ['--listen', port])
  await tellsStory(server.url)
  await worksOnStaticHosts(project.folder)
})

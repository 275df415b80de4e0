// 64-bit memory in a page: its module is fetched only for models that need it. If the browser lacks it, or the machine has
// too little memory, the error says so before the download.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { serveModel } from '../support/model_server.mjs'
import { roomyContext, roomyModel } from '../support/roomy_model.mjs'
import { serveSite } from './site.mjs'
import { modules, useBrowser } from './support.mjs'

const { sites, inPage, failsWith } = useBrowser()
const roomy = { contextLength: roomyContext, threads: 2 }
const needsMemory64 = { skip: !modules.includes('memory64') && 'this browser has no 64-bit memory, or its module is not built' }

let server
before(async () => {
  server = await serveModel(roomyModel())
})
after(() => server.close())

for (const name of ['isolated', 'open']) {
  test(`is used only if a model needs it: ${name}`, needsMemory64, async () => {
    const given = await inPage(
      sites[name],
      async ({ url, roomy }) => {
        const fetched = () => performance.getEntriesByType('resource').some(({ name }) => name.includes('memory64'))
        const write = async (...load) => {
          const model = await heed.loadModel(...load)
          const { text } = await model.generate('Once', { maxTokens: 30, temperature: 0 })
          await model.dispose()
          return { text, memory64: model.info.memory64, fetched: fetched() }
        }
        const file = new File([await (await fetch(url)).blob()], 'model.gguf')
        return [await write(), await write(url, roomy), await write(file, roomy)]
      },
      { url: `${server.url}/model`, roomy },
    )
    const [{ text }] = given
    assert.deepEqual(
      given.map(({ memory64 }) => memory64),
      [false, true, true],
    )
    assert.equal(given[0].fetched, false)
    assert.deepEqual(
      given.map(given => given.text),
      [text, text, text],
    )
  })
}

/** The expected message, a line of script that changes the page's environment, and what the test requires. */
const lacking = {
  'a browser without it': [
    /needs \d+ MB.*64-bit.*Chrome.*Firefox/,
    'const { validate } = WebAssembly; WebAssembly.validate = bytes => bytes.length !== 66 && validate(bytes)',
  ],
  'a machine with too little memory': [
    /the machine has 3221 MB/,
    "Object.defineProperty(navigator, 'deviceMemory', { value: 2 })",
    needsMemory64,
  ],
}
for (const [name, [message, change, needs = {}]] of Object.entries(lacking)) {
  test(`${name} rejects the model before the download`, needs, async () => {
    const site = await serveSite({
      change(dist) {
        for (const script of ['index.js', 'heed-worker.js']) {
          const path = join(dist, script)
          writeFileSync(path, `{ ${change} }\n${readFileSync(path, 'utf8')}`)
        }
      },
    })
    try {
      const load = ({ url, roomy }) => describe(heed.loadModel(url, roomy))
      await failsWith(site, 'out-of-memory', message, load, { url: `${server.url}/held`, roomy: { ...roomy, kvCache: 'int16' } })
      await server.left()
    } finally {
      await site.close()
    }
  })
}

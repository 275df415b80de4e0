// Concurrent loads of one model, in workers of one process and in several processes: one downloads, the others wait.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadModel, modelStore } from 'heed'
import { defaultModelBytes, rejectsWith } from '../package/support.mjs'
import { storedFiles, useHub } from './support.mjs'

const stories = defaultModelBytes()
const use = useHub({ 'heed/stories': { 'stories.gguf': stories } })
const source = 'hf:heed/stories/stories.gguf'

/** Starts another process that loads the model and prints a text. */
function loadElsewhere(endpoint) {
  const script = `import { loadModel } from 'heed'
    const model = await loadModel('${source}', { cache: true, hub: { endpoint: '${endpoint}' } })
    process.stdout.write((await model.generate('Once', { maxTokens: 5, seed: 1 })).text)
    await model.dispose()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', data => {
    text += data
  })
  return { child, text: new Promise(resolve => child.on('close', () => resolve(text))) }
}

test('three workers and two processes share one download', async () => {
  const { hub, options } = use
  hub.behavior.bytesPerMs = 2000
  const phases = new Set()
  const elsewhere = [loadElsewhere(hub.endpoint), loadElsewhere(hub.endpoint)]
  const here = [0, 1, 2].map(async () => {
    const model = await loadModel(source, { ...options, cache: true, onProgress: ({ phase }) => phases.add(phase) })
    const { text } = await model.generate('Once', { maxTokens: 5, seed: 1 })
    await model.dispose()
    return text
  })
  const texts = await Promise.all([...here, ...elsewhere.map(({ text }) => text)])
  assert.equal(new Set(texts).size, 1)
  assert.ok(texts[0].length > 0)
  assert.equal(hub.served, stories.length)
  assert.ok(phases.has('wait'))
})

test('if the downloading process dies, a waiting one resumes the download', async () => {
  const { hub, options } = use
  hub.behavior.bytesPerMs = 1000
  const first = loadElsewhere(hub.endpoint)
  let died
  hub.breaks = [
    {
      at: 1.4e6,
      how: () => {
        died = first.child.kill('SIGKILL')
      },
    },
  ]
  while (hub.served === 0) await new Promise(resolve => setTimeout(resolve, 10))
  const cached = []
  const model = await loadModel(source, { ...options, cache: true, onProgress: progress => cached.push(progress.cached) })
  await model.dispose()
  assert.equal(died, true)
  assert.ok(Math.max(...cached) >= 2 ** 20)
  assert.ok(hub.served < stories.length + 2 ** 20, `${hub.served} bytes were sent`)
})

test('does not delete what is being downloaded', async () => {
  const { hub, options } = use
  hub.behavior.bytesPerMs = 500
  const controller = new AbortController()
  const downloading = modelStore.download(source, { ...options, signal: controller.signal })
  while (hub.served < 5e5) await new Promise(resolve => setTimeout(resolve, 10))
  await rejectsWith('io', /in use/, () => modelStore.delete(source, { hub: options.hub }))
  controller.abort()
  await rejectsWith('aborted', /./, downloading)
  assert.equal(await modelStore.delete(source, { hub: options.hub }), true)
})

test('clears all models but the one that is being downloaded', async () => {
  const { hub, options } = use
  const controller = new AbortController()
  const isUnderWay = new Promise(resolve => {
    hub.breaks = [
      { at: 5e5, how: resolve },
      { at: 5e5 + 1, how: 'stall' },
    ]
  })
  const downloading = modelStore.download(source, { ...options, signal: controller.signal })
  await isUnderWay
  const others = ['0', 'f'].map(digit => join(process.env.HEED_MODELS, `${digit.repeat(32)}.0.gguf`))
  for (const path of others) writeFileSync(path, 'GGUF') // their names come before and after the model's
  await rejectsWith('io', /in use/, () => modelStore.clear())
  assert.deepEqual(
    others.filter(path => existsSync(path)),
    [],
  )
  assert.ok(Object.keys(storedFiles()).length > 0)
  controller.abort()
  await rejectsWith('aborted', /./, downloading)
})

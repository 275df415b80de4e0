// 64-bit memory: used for models that need more than 4 GB, with an error before the download if it is missing.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { serveModel } from '../support/model_server.mjs'
import { roomyContext, roomyModel } from '../support/roomy_model.mjs'
import { modules, rejectsWith, withModel } from './support.mjs'

const bytes = roomyModel()
const roomy = { contextLength: roomyContext, threads: 2 }
const needsMemory64 = { skip: !modules.includes('memory64') && 'this Node has no 64-bit memory, or its module is not built' }
const write = async model => (await model.generate('Once', { maxTokens: 30, temperature: 0 })).text

let folder, server, expected
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heed-memory64-'))
  writeFileSync(join(folder, 'model.gguf'), bytes)
  server = await serveModel(bytes)
  expected = await withModel(undefined, {}, write)
})
after(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** Runs `body` as if WebAssembly had no 64-bit memory. */
async function withoutMemory64(body) {
  const { validate } = WebAssembly
  const memory = [2, 7, 1, 1] // imported: shared, with a maximum and 64-bit indices, of one page
  WebAssembly.validate = bytes => !String([...bytes]).includes(String(memory)) && validate(bytes)
  try {
    return await body()
  } finally {
    WebAssembly.validate = validate
  }
}

test('a model that fits uses 32-bit memory', () => withModel(undefined, {}, ({ info }) => assert.equal(info.memory64, false)))

/** In chunks, the first of which end within the header. */
const streamed = () => {
  let position = 0
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(bytes.subarray(position, (position += 5000))))
      if (position >= bytes.length) controller.close()
    },
  })
}

const sources = {
  'a path': () => join(folder, 'model.gguf'),
  'an address': () => `${server.url}/model`,
  'a File': () => new File([bytes], 'model.gguf'),
  bytes: () => bytes,
  'a stream': streamed,
}

for (const [name, source] of Object.entries(sources)) {
  test(`a larger model uses 64-bit memory: ${name}`, needsMemory64, () =>
    withModel(source(), roomy, async model => {
      const { info } = model
      assert.deepEqual([info.memory64, info.simd, info.threads, info.contextLength], [true, 'relaxed', 2, roomyContext])
      assert.equal(info.kvCache, 'int16')
      assert.ok(info.mostMemoryBytes > 2 ** 32)
      assert.equal(await write(model), expected)
    }),
  )
}

test('the file is read only once', needsMemory64, async () => {
  const sent = server.sent()
  await withModel(`${server.url}/model`, roomy, () => {})
  assert.equal(server.sent() - sent, bytes.length)
})

test('reports the same numbers, not BigInts, with either memory', needsMemory64, async () => {
  const told = memory64 =>
    withModel(undefined, { memory64, simd: 'relaxed', threads: 2, memoryLimit: 2 ** 28 }, async model => {
      const {
        info: { memory64: _, ...info },
      } = model
      const {
        timings: { promptTokens, generatedTokens, reusedTokens },
      } = await model.generate('Once', { maxTokens: 3 })
      return { info, memory: await model.memory(), promptTokens, generatedTokens, reusedTokens }
    })
  const of32 = await told(false)
  assert.equal(typeof of32.info.layers, 'number')
  assert.deepEqual(await told(true), of32)
})

test('if a model does not fit, the error names the option that rules out 64-bit memory, with the numbers', async () => {
  await rejectsWith(
    'out-of-memory',
    /\d MB.*\d MB, in which .* fits\. `memory64: false` rules/,
    loadModel(bytes, { ...roomy, kvCache: 'int16', memory64: false }),
  )
})

const needsSimd128 = { skip: !modules.includes('simd128') && 'the module without relaxed SIMD is not built' }
test('or the option that rules out relaxed SIMD', needsSimd128, async () => {
  await rejectsWith(
    'out-of-memory',
    /\d MB.*\d MB, in which .* fits\. `simd: 'simd128'` rules/,
    loadModel(bytes, { ...roomy, kvCache: 'int16', simd: 'simd128' }),
  )
})

test('its module is loaded only if a model needs it', needsMemory64, () =>
  withModel(undefined, { assets: { 'heed-memory64.wasm': 'https://not.a.file/' } }, ({ info }) =>
    assert.equal(info.memory64, false),
  ),
)

test('respects a lower limit of the caller', () =>
  rejectsWith(
    'out-of-memory',
    /the limit is 1074 MB, in which a context of \d+ fits$/,
    loadModel(bytes, { ...roomy, memoryLimit: 2 ** 30, kvCache: 'int16' }),
  ))

test('a memory limit applies to 64-bit memory, too', needsMemory64, async () => {
  await rejectsWith(
    'out-of-memory',
    /the limit is 5000 MB, in which a context of \d+ fits$/,
    loadModel(bytes, { ...roomy, memoryLimit: 5e9, kvCache: 'int16' }),
  )
  await withModel(bytes, { ...roomy, memoryLimit: 12e9 }, ({ info }) => assert.equal(info.mostMemoryBytes, 12e9))
})

test('without 64-bit memory, the error says so before the download', () =>
  withoutMemory64(async () => {
    await rejectsWith(
      'out-of-memory',
      /needs \d+ MB.*64-bit.*no (relaxed SIMD|64-bit memory) here.*Node 24/,
      loadModel(`${server.url}/held`, { ...roomy, kvCache: 'int16' }),
    )
    await server.left()
    await withModel(undefined, {}, ({ info }) => assert.equal(info.memory64, false))
  }))

test('requesting 64-bit memory that is not available is an error', () =>
  withoutMemory64(() => rejectsWith('unsupported', /memory64.*64-bit/, loadModel(undefined, { memory64: true }))))

test('64-bit memory requires relaxed SIMD', () =>
  rejectsWith('invalid-argument', /memory64.*simd128/, loadModel(undefined, { memory64: true, simd: 'simd128' })))

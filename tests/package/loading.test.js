// Where a model comes from, and how loading can fail.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, createReadStream, mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { HeedError, loadModel } from 'heed'
import { inRoot } from '../../tools/paths.mjs'
import { serveModel } from '../support/model_server.mjs'
import { defaultModelBytes, defaultModelPath, forcing, modules, rejectsWith, withModel } from './support.mjs'

const bytes = defaultModelBytes()
let server

before(async () => {
  server = await serveModel(bytes)
})
after(() => server.close())

const streamOf = chunks => ReadableStream.from(chunks)
const chunksOf = size =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))

const sources = {
  'nothing: the default model': () => undefined,
  'a path': () => defaultModelPath,
  'a file URL': () => pathToFileURL(defaultModelPath),
  'a URL as text': () => `${server.url}/model`,
  'a URL': () => new URL(`${server.url}/model`),
  'a Blob': () => new Blob([bytes]),
  'an ArrayBuffer': () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
  'a part of an ArrayBuffer': () => bytes,
  'a stream of large chunks': () => streamOf(chunksOf(3_000_000)),
  'a stream of small chunks': () => streamOf(chunksOf(10_007)),
  'a Response': () => fetch(`${server.url}/model`),
  'a stream of Node': () => createReadStream(defaultModelPath),
  'a generator': async function* () {
    yield* chunksOf(1_000_003)
  },
}

for (const [name, source] of Object.entries(sources)) {
  test(`loads ${name}`, async () =>
    withModel(await source(), {}, async model => {
      assert.equal(model.info.fileBytes, bytes.length)
      const { tokens } = await model.generate('Once', { maxTokens: 2, stopAtEnd: false })
      assert.equal(tokens.length, 2)
    }))
}

test('modules are compiled for the first model, and kept for those that follow', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-modules-'))
  const names = [`heed-${modules[0]}.wasm`, 'heed-constraints.wasm']
  for (const name of names) copyFileSync(inRoot('dist', name), join(folder, name))
  const options = {
    ...forcing(modules[0]),
    assets: Object.fromEntries(names.map(name => [name, pathToFileURL(join(folder, name))])),
  }
  const writes = model => model.generate('Once', { choices: ['yes', 'no'], temperature: 0 })
  const first = await withModel(undefined, options, writes).finally(() => rmSync(folder, { recursive: true }))
  assert.deepEqual((await withModel(undefined, options, writes)).tokens, first.tokens)
})

test('an error in a file’s contents names the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-which-'))
  const path = join(folder, 'page.gguf')
  writeFileSync(path, '<!DOCTYPE html>')
  try {
    const which = {
      'page.gguf': [path, pathToFileURL(path), new File(['<!DOCTYPE html>'], 'page.gguf')],
      'The file': [new Blob(['<!DOCTYPE html>']), Buffer.from('<!DOCTYPE html>')],
      'cut.gguf': [new File([bytes.subarray(0, 100_000)], 'cut.gguf')],
    }
    for (const [name, sources] of Object.entries(which)) {
      for (const source of sources) await rejectsWith('invalid-file', new RegExp(name.replace('.', '\\.')), () => loadModel(source))
    }
    await rejectsWith('invalid-file', /page\.gguf/, () => loadModel(undefined, { projector: path }))
    await withModel(undefined, {}, model => rejectsWith('invalid-file', /page\.gguf/, () => model.loadAdapter('x', path)))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('an almost valid source is an error that says what to pass instead', async () => {
  const read = new Response('x')
  await read.text()
  const handle = await open(defaultModelPath)
  const wrong = [
    [fetch(`${server.url}/model`), 'invalid-argument', /a promise: await it/],
    [handle, 'invalid-argument', /file handle of Node: give its path/],
    [new Request(server.url), 'invalid-argument', /a Request: give its URL/],
    [read, 'invalid-argument', /has been read/],
    [new Response(null), 'invalid-argument', /no body/],
    [new Response('x', { status: 404 }), 'network', /HTTP 404/],
    [createReadStream(defaultModelPath, 'latin1'), 'invalid-argument', /no bytes/],
    [{}, 'invalid-argument', /expected a URL, path, Blob, file handle, bytes, Response or stream/],
  ]
  for (const [source, code, message] of wrong) await rejectsWith(code, message, loadModel(source))
  await handle.close()
})

test('a stream of Node is closed when its model is loaded, or is none', { timeout: 30_000 }, async () => {
  for (const content of [bytes, Buffer.alloc(5_000_000, 'x')]) {
    const stream = Readable.from([content, bytes, bytes])
    const loading = loadModel(stream)
    await loading.then(
      model => model.dispose(),
      () => {},
    )
    if (!stream.destroyed) await once(stream, 'close')
  }
})

test('a stream is given back if its load is aborted before the engine has started, or cannot start', {
  timeout: 30_000,
}, async () => {
  const controller = new AbortController()
  const stream = createReadStream(defaultModelPath)
  const aborted = rejectsWith('aborted', /./, loadModel(stream, { signal: controller.signal }))
  controller.abort()
  await aborted
  if (!stream.closed) await once(stream, 'close')
  for (const options of [{ assets: 'no/such/folder' }, { projector: 42 }]) {
    let canceled
    const failure = await loadModel(
      new ReadableStream({
        cancel(reason) {
          canceled = reason
        },
      }),
      options,
    ).catch(error => error)
    assert.ok(failure instanceof HeedError)
    assert.equal(canceled, failure)
  }
})

test('an iterator may end in any way that a loop accepts', async () => {
  const end = () => ({ done: true })
  const broken = () => {
    throw new Error('it does not end')
  }
  for (const back of [end, async () => end(), broken, async () => broken()]) {
    const chunks = [{ done: false, value: bytes }, end()]
    await withModel({ [Symbol.asyncIterator]: () => ({ next: async () => chunks.shift(), return: back }) }, {}, model =>
      model.tokenize('Once'),
    )
  }
})

test('`cache` makes no difference to the model of the package, which is no download', () =>
  withModel(undefined, { cache: true }, model => model.tokenize('Once')))

test('leaves the given buffer usable', () => {
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  return withModel(copy, {}, () => assert.equal(copy.byteLength, bytes.length))
})

test('reports progress up to the size of the file', async () => {
  const progress = []
  await withModel(`${server.url}/model`, { onProgress: event => progress.push(event) }, () => {})
  assert.ok(progress.length >= 1)
  const { bytesPerSecond, ...last } = progress.at(-1)
  assert.deepEqual(last, { phase: 'download', loaded: bytes.length, total: bytes.length, cached: 0 })
  assert.ok(bytesPerSecond > 0)
  const loaded = progress.map(event => event.loaded)
  assert.deepEqual(
    loaded,
    loaded.toSorted((a, b) => a - b),
  )
})

test('describes the model', () => {
  const [simd] = modules
  const options = { threads: 2, contextLength: 64, kvCache: 'q8', simd }
  return withModel(undefined, options, ({ info }) => {
    assert.equal(info.threads, 2)
    assert.equal(info.contextLength, 64)
    assert.equal(info.kvCache, 'q8')
    assert.equal(info.simd, simd)
    assert.equal(info.target.split('-')[0], simd)
    assert.equal(info.architecture, 'llama')
    const counts = [
      'parameters',
      'fileBytes',
      'layers',
      'heads',
      'kvHeads',
      'headDim',
      'width',
      'feedForward',
      'vocabulary',
      'trainedContext',
      'parallel',
      'memoryBytes',
      'mostMemoryBytes',
    ]
    for (const name of counts) assert.ok(info[name] > 0, name)
    assert.ok(Object.isFrozen(info))
  })
})

test('reports a missing file', () => rejectsWith('io', /no-such-file/, loadModel('no-such-file.gguf')))

test('reports a folder instead of a file', () => rejectsWith('io', /dist is a folder/, loadModel(inRoot('dist'))))

test('reports a truncated file on the disk', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'heed-')), 'short.gguf')
  writeFileSync(path, bytes.subarray(0, -1))
  try {
    const [whole, short] = [bytes.length, bytes.length - 1]
    await rejectsWith('invalid-file', new RegExp(`${short} of ${whole} bytes`), loadModel(path))
  } finally {
    rmSync(dirname(path), { recursive: true })
  }
})

test('reports the HTTP status', () => rejectsWith('network', /missing.*404/, loadModel(`${server.url}/missing`)))

test('reports an unreachable server', () => rejectsWith('network', /localhost:1\//, loadModel('http://localhost:1/model')))

test('reports an interrupted download', () => rejectsWith('network', /broken/, loadModel(`${server.url}/broken`)))

test('passes on the error of a stream', () => {
  const stream = new ReadableStream({
    pull(controller) {
      controller.error(new Error('the disk is on fire'))
    },
  })
  return rejectsWith('io', /the disk is on fire/, loadModel(stream))
})

test('rejects a stream of anything but bytes', () => rejectsWith('invalid-argument', /bytes/, loadModel(streamOf(['text']))))

test('rejects a locked stream', () => {
  const stream = streamOf([bytes])
  stream.getReader()
  return rejectsWith('invalid-argument', /locked/, loadModel(stream))
})

for (const source of [42, null, {}, { threads: 2 }, [1, 2]]) {
  test(`rejects ${JSON.stringify(source)} as a source`, () => rejectsWith('invalid-argument', /source/, loadModel(source)))
}

test('rejects what is not a model', () => rejectsWith('invalid-file', /./, loadModel(new Blob(['<!doctype html><p>not found']))))

test('rejects an empty file', () => rejectsWith('invalid-file', /./, loadModel(new Blob([]))))

for (const share of [0.001, 0.5, 0.999]) {
  test(`rejects a file truncated to ${share * 100} %`, () =>
    rejectsWith('invalid-file', /./, loadModel(bytes.subarray(0, bytes.length * share))))
}

test('rejects a model that does not fit into memory before the download, with the numbers', async () => {
  await rejectsWith('out-of-memory', /\d.*\d/, loadModel(`${server.url}/held`, { memoryLimit: 100_000 }))
  await server.left()
})

test('cancels the stream of a model that does not fit', async () => {
  let canceled
  let position = 0
  const stream = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(bytes.subarray(position, (position += 50_000))))
    },
    cancel(reason) {
      canceled = reason
    },
  })
  await rejectsWith('out-of-memory', /./, loadModel(stream, { memoryLimit: 100_000 }))
  assert.equal(canceled?.code, 'out-of-memory')
  assert.ok(position < bytes.length)
})

test('loads a file that is open as a Blob, which Node cannot send to a worker', async () => {
  await withModel(await openAsBlob(defaultModelPath), {}, async model => assert.ok((await model.tokenize('Once')).length > 0))
})

test('rejects a longer context than the model was trained for', () =>
  withModel(undefined, {}, ({ info }) => {
    const contextLength = info.trainedContext + 1
    return rejectsWith('invalid-argument', /context/i, loadModel(undefined, { contextLength }))
  }))

test('aborts a download immediately, with an AbortError', async () => {
  const controller = new AbortController()
  const reason = new Error('changed my mind')
  const loading = loadModel(`${server.url}/held`, {
    signal: controller.signal,
    onProgress: () => controller.abort(reason),
  })
  await rejectsWith('aborted', /./, loading)
  const error = await loading.catch(error => error)
  assert.ok(error instanceof HeedError)
  assert.equal(error.name, 'AbortError')
  assert.equal(error.cause, reason)
  await server.left()
})

test('does not start if the signal is already aborted', () =>
  rejectsWith('aborted', /./, loadModel(undefined, { signal: AbortSignal.abort() })))

test('loads two models at the same time', () =>
  withModel(undefined, {}, first =>
    withModel(undefined, {}, async second => {
      const options = { maxTokens: 8, seed: 1 }
      const [one, two] = await Promise.all([first.generate('Once', options), second.generate('Once', options)])
      assert.equal(one.text, two.text)
    }),
  ))

test('memory() says what longer contexts would take, with every kind of cache', () =>
  withModel(undefined, { contextLength: 128, kvCache: 'q4' }, async model => {
    const { info } = model
    const { contexts } = await model.memory()
    assert.equal(info.kvCache, 'q4')
    assert.equal(contexts[0].contextLength, 128)
    assert.equal(contexts.at(-1).contextLength, info.trainedContext)
    for (const [at, { contextLength, bytes }] of contexts.entries()) {
      assert.deepEqual(Object.keys(bytes), ['f32', 'f16', 'int16', 'q8', 'q4'])
      assert.ok(bytes.f32 > bytes.int16 && bytes.int16 > bytes.q8 && bytes.q8 > bytes.q4 && bytes.q4 > 0)
      if (at > 0) assert.ok(contextLength > contexts[at - 1].contextLength && bytes.q4 >= contexts[at - 1].bytes.q4)
    }
  }))

test('auto takes a smaller cache only where the context would not fit, and the old name of q8 still works', async () => {
  const needs = kvCache =>
    withModel(undefined, { kvCache, parallel: 1, threads: 1, contextLength: 512 }, async model => {
      const { contexts } = await model.memory()
      return model.info.memoryBytes + contexts[0].bytes[model.info.kvCache]
    })
  const chosen = memoryLimit =>
    withModel(
      undefined,
      { kvCache: 'auto', parallel: 1, threads: 1, contextLength: 512, memoryLimit },
      async model => model.info.kvCache,
    )
  assert.equal(await chosen(await needs('int16')), 'int16')
  assert.equal(await chosen(await needs('q8')), 'q8')
  assert.equal(await chosen(await needs('q4')), 'q4')
  assert.equal(await withModel(undefined, { kvCache: 'int8' }, async model => model.info.kvCache), 'q8')
})

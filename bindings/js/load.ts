// Loading in the engine worker: a model file as chunks, wherever it is, written into the engine as they come.
import type { Host } from './answers.js'
import { sharesMemory } from './engine.js'
import { HeedError } from './errors.js'
import { fetchSuccessfully } from './fetch.js'
import type { Call, FileSource, Results } from './protocol.js'

export type Chunks = AsyncIterable<Uint8Array>

/** What only the place where the worker runs can give: files by path, and chunks that are pushed to it. */
export interface FileAccess {
  readPath?(path: string): Chunks
  pull(): Promise<Uint8Array | undefined>
}

const progressMs = 50

export async function load(
  { engine, post }: Host, { source }: Extract<Call, { type: 'load' }>, access: FileAccess,
): Promise<Results['load']> {
  let loaded = 0
  let reportedAt = -Infinity
  const report = () => {
    post({ type: 'progress', progress: { loaded, total: engine.bytesExpected() || undefined } })
    reportedAt = performance.now()
  }
  for await (const chunk of readFile(source, access)) {
    for (let offset = 0; offset < chunk.length;) {
      const input = engine.input()
      const part = chunk.subarray(offset, offset + input.length)
      input.set(part)
      engine.write(part.length)
      offset += part.length
    }
    loaded += chunk.length
    if (performance.now() - reportedAt >= progressMs) report()
  }
  report()
  engine.finish()
  return { info: engine.info(), cancelFlag: sharesMemory() ? engine.cancelFlag() : undefined }
}

/** Fails with `network` or `io`. Leaving the loop over the chunks cancels what is still to come. */
function readFile(source: FileSource, access: FileAccess): Chunks {
  switch (source.kind) {
    case 'url': return download(source.url)
    case 'blob': return readStream(source.blob.stream(), 'io', 'The file')
    case 'path': return access.readPath!(source.path)
    case 'pushed': return pulled(access)
  }
}

async function* download(url: string): Chunks {
  const { body } = await fetchSuccessfully(url)
  if (body) yield* readStream(body, 'network', url)
}

async function* readStream(stream: ReadableStream<Uint8Array>, code: 'network' | 'io', name: string): Chunks {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: Error) => {
        throw new HeedError(code, `${name}: ${error.message}`)
      })
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

async function* pulled(access: FileAccess): Chunks {
  for (let bytes = await access.pull(); bytes; bytes = await access.pull()) yield bytes
}

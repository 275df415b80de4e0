// The engine's worker: receives calls and aborts between the engine's passes.
import type { FileAccess, FitsTask, Forecaster } from '../store/interface.js'
import type { ModelFile } from '../store/model-file.js'
import { ProgressReport } from '../store/progress.js'
import { HeedError } from '../wire/errors.js'
import { Line } from '../wire/line.js'
import type { Call, ConstraintFiles, FileBeside, ProjectorReads, Results } from '../wire/protocol.js'
import { type ByteAccess, isPlain, openFile } from './bytes.js'
import { compiledOf } from './compiled.js'
import type { Constraints } from './constraints/constraints.js'
import { handle } from './handlers/index.js'
import { tokenizeFor } from './handlers/tokens.js'
import type { CallState, FileCall, Host, Kept, KeptScript, Lab } from './host.js'
import type { Engine } from './engine.js'
import { withExtra } from './extra.js'
import { later } from './later.js'
import { Handles } from './handles.js'
import { load, readInto } from './load.js'
import type { Port } from './port.js'
import { type StartedEngine, startFirst, startLarger } from './start-engine.js'
import { useFile } from './use-file.js'
import { WriteLoop } from './write-loop.js'

type KeepCall = NonNullable<Extract<Call, { type: 'load' }>['keep']>

const cannotKeep = () => new HeedError('unsupported', 'this browser window has no file storage')

/** Answers calls. Those that need an engine must follow a `load`. */
export function serve(port: Port): void {
  let host: Host | undefined
  let end: StartedEngine['end'] | undefined
  /** The pending requests for chunks. */
  const pulls = new Map<number, (bytes?: Uint8Array) => void>()
  let lastPull = 0
  const calls = new Map<number, CallState>()

  const bytesFor = (id: number): ByteAccess => ({
    openPath: port.openPath,
    pull: range =>
      new Promise(resolve => {
        pulls.set(++lastPull, resolve)
        port.post({ type: 'pull', pull: lastPull, range, id })
      }),
  })
  const accessFor = (id: number): FileAccess => ({
    openFile: source => openFile(source, bytesFor(id)),
    startForecaster: async task => forecaster(task, await startFirst(port, task)),
  })
  const forecaster = (task: FitsTask, started: StartedEngine): Forecaster => ({
    memory64: started.memory64,
    threads: started.options.threads,
    forecast: header => withExtra(started.extra, () => started.engine.forecast(header, started.options)),
    larger: async refusal => forecaster(task, await startLarger(port, task, started, refusal)),
    end: started.end,
  })
  const reportFor = (id: number) => new ProgressReport(progress => port.post({ type: 'progress', id, progress }))

  async function runStore(id: number, { store, ...task }: Extract<Call, { type: 'store' }>): Promise<Results['store']> {
    return (await port.readStore(store)).run(task, accessFor(id), reportFor(id))
  }

  async function open(id: number, { request, store }: FileCall, report: ProgressReport): Promise<ModelFile> {
    if (isPlain(request)) return openFile(request.source, bytesFor(id))
    return (await port.readStore(store)).open(request, accessFor(id), report)
  }

  async function readMetadata(id: number, { file, ...call }: Extract<Call, { type: 'metadata' }>): Promise<Results['metadata']> {
    const { metadata } = await port.readStore(call.store)
    if (call.request.source.kind !== 'pushed') return metadata(await open(id, call, reportFor(id)))
    if (file === 'projector') throw new HeedError('unsupported', 'metadata: the projector came as a stream, and is gone')
    return metadata(host!.header!)
  }

  async function readBeside(
    what: FileBeside,
    state: CallState,
    call: FileCall,
    engine: Engine,
  ): Promise<ProjectorReads | undefined> {
    const report = reportFor(state.id)
    const file = await open(state.id, call, report)
    let reads: ProjectorReads | undefined
    if (what === 'draft') engine.openDraft()
    else engine.openProjector()
    await readInto(
      {
        engine: () => engine,
        write: count => engine.write(count),
        finish() {
          if (what === 'draft') engine.finishDraft()
          else reads = engine.finishProjector()
        },
        isAborted: () => state.aborted,
      },
      file,
      report,
    )
    return reads
  }

  /** Opens the kept texts. If nothing can be kept here, the model works without them, and a notice says why. */
  async function openKept(engine: Engine, { store }: FileCall, keep: KeepCall, report: ProgressReport): Promise<Kept | undefined> {
    try {
      const [{ kept }, script] = await Promise.all([port.readStore(store), port.readLater<KeptScript>('kept', keep.script)])
      const place = await kept()
      if (!place) throw cannotKeep()
      return await script.open(engine, place, port.yieldToMessages, keep.bytes)
    } catch (error) {
      const { code, message } = HeedError.from(error)
      if (code === 'crashed') throw error
      report.update({ notice: `Nothing is kept: ${message}` })
      return undefined
    }
  }

  async function constraintsOf(engine: Engine, interrupt: Uint8Array, files: ConstraintFiles): Promise<Constraints> {
    const script = port.readLater<typeof Constraints>('constraints', files.script)
    const [Script, compiled] = await Promise.all([script, compiledOf(files, port)])
    return new Script(engine, interrupt, compiled)
  }

  async function loadModel(id: number, call: Extract<Call, { type: 'load' }>): Promise<Results['load']> {
    const report = reportFor(id)
    const opening = open(id, call, report)
    opening.catch(() => {}) // reported below, unless the engine fails first
    const first = await startFirst(port, call)
    end = first.end
    let header: readonly Uint8Array[] | undefined
    const { result, engine, interrupt, extra, maxBatch } = await load(
      first,
      await opening,
      report,
      async (small, refusal) => {
        end = undefined
        const larger = await startLarger(port, call, small, refusal)
        end = larger.end
        return larger
      },
      bytes => {
        if (call.request.source.kind === 'pushed') header = bytes
      },
    )
    const { post, yieldToMessages } = port
    const kept = call.keep && (await openKept(engine, call, call.keep, report))
    host = {
      engine,
      interrupt,
      info: result.info,
      handles: new Handles(),
      header,
      kept,
      maxBatch,
      post,
      yieldToMessages,
      readBeside: (what, state, file) => readBeside(what, state, file, engine),
      useFile: (state, file, use) =>
        useFile(state, () => open(state.id, file, reportFor(state.id)), reportFor(state.id), engine, use),
      adapters: new Map(),
      sessions: new Map(),
      extra,
      constraints: later(() => constraintsOf(engine, interrupt, call.constraints)),
      lab: later(async () => {
        const [lab] = await Promise.all([port.readLater<Lab>('lab', call.lab), extra()])
        return lab
      }),
      writing: new WriteLoop(engine, yieldToMessages),
      reading: new Line(),
    }
    return result
  }

  function answer(state: CallState, call: Call): Promise<Results[keyof Results]> {
    switch (call.type) {
      case 'load':
        return loadModel(state.id, call)
      case 'store':
        return runStore(state.id, call)
      case 'metadata':
        return readMetadata(state.id, call)
      default:
        return handle(host!, state, call)
    }
  }

  async function run({ id, ...call }: Call & { id: number }): Promise<void> {
    const state: CallState = { id, aborted: false }
    calls.set(id, state)
    try {
      const result = await answer(state, call)
      port.post({ type: 'done', id, result }, movable(result))
    } catch (error) {
      const { code, message, index, contextLength } = HeedError.from(error)
      if (code === 'crashed') end = undefined // an engine that has failed is not freed
      port.post({ type: 'failed', id, code, message, index, contextLength })
    } finally {
      calls.delete(id)
    }
  }

  port.listen(
    message => {
      switch (message.type) {
        case 'chunk': {
          pulls.get(message.pull)?.(message.bytes)
          pulls.delete(message.pull)
          return
        }
        case 'templates':
          return tokenizeFor(message.port, host!.engine, failure => port.post({ type: 'failed', id: 0, ...failure }))
        case 'abort': {
          const state = calls.get(message.id)
          if (!state) return
          state.aborted = true
          if (state.generation) host!.engine.abort(state.generation)
          return
        }
        default:
          void run(message)
      }
    },
    async () => {
      void host?.kept?.close()
      if (!end) return
      host?.handles.freeAll()
      await end()
    },
  )
}

/** The buffers of a result, to transfer instead of copying them; shared memory cannot be transferred. */
function movable(result: Results[keyof Results]): ArrayBuffer[] {
  if (typeof result !== 'object') return []
  const values: unknown[] = ArrayBuffer.isView(result) ? [result] : Object.values(result)
  return values
    .filter(ArrayBuffer.isView)
    .map(({ buffer }) => buffer)
    .filter(buffer => buffer instanceof ArrayBuffer)
}

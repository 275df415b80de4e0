// Opening what `loadModel` was given, in the engine worker: one file or several, here or elsewhere, kept or not.
import { type FileAccess, openFile } from '../bytes.js'
import { HeedError } from '../errors.js'
import type { FileSource, ModelRequest } from '../protocol.js'
import { findOnHub, type HubEntry } from './hub.js'
import { importModel } from './import.js'
import { joinParts } from './joined.js'
import { keyOf, loadState } from './journal.js'
import { openKept } from './keep.js'
import type { ModelFile } from './model-file.js'
import type { ProgressReport } from './progress.js'
import { recordOf } from './record.js'
import { remoteFile, verified } from './remote-file.js'
import { allParts, fileName, splitName } from './split-name.js'

const defaultStallMs = 30_000
/** What is asked for of a further part at first: its header, unless that is long. */
export const probeBytes = 1 << 16

/** A model as one file, for the loader. Fails with `network`, `io`, `invalid-file` or `invalid-argument`. */
export async function openModel(request: ModelRequest, access: FileAccess, report: ProgressReport): Promise<ModelFile> {
  const { source, cache } = request
  if (source.kind === 'stored') return openFromStore(source.source, request, access, report)
  if (cache) {
    const kept = await openKept(keepRequest(request, access, report, error => report.update({ notice: `Not kept: ${error.message}` })))
    if (kept) return kept
  }
  const files = await openFiles(request, access, report)
  const { integrity } = request
  if (integrity && integrity.length !== files.length) throw wrongCount(integrity.length, files.length)
  const checked = integrity
    ? await Promise.all(files.map(async (file, part) => verified(file, await access.sha256(), integrity[part]!))) : files
  const isSet = checked.length > 1 || splitName(checked[0]!.name)
  return isSet ? joinParts(checked) : checked[0]!
}

/** Downloads a model into the store, or copies it there. */
export async function keepModel(request: ModelRequest, access: FileAccess, report: ProgressReport): Promise<void> {
  const { source } = request
  if (request.importAs) {
    const files = await openFiles(request, access, report)
    try {
      return await importModel({ source: `store:${request.importAs}` }, request.importAs, files, access, report)
    } finally {
      for (const file of files) file.close()
    }
  }
  if (source.kind !== 'url' && source.kind !== 'hub') throw new HeedError('invalid-argument', 'download: the source is no address')
  const keep = keepRequest(request, access, report, error => { throw error })
  const file = await openKept({ ...keep, isForLater: true })
  try {
    await file?.complete?.()
  } finally {
    await file?.close()
  }
}

const wrongCount = (sums: number, files: number) => new HeedError('invalid-argument',
  `integrity: ${sums} sum${sums > 1 ? 's' : ''} for ${files} file${files > 1 ? 's' : ''}`)

/** The files at addresses that a source means. */
async function find(source: FileSource): Promise<HubEntry[]> {
  if (source.kind === 'hub') return findOnHub(source.file)
  if (source.kind === 'url') return allParts(source.url).map(url => ({ name: fileName(url), url }))
  return []
}

function keepRequest(request: ModelRequest, access: FileAccess, report: ProgressReport, giveUp: (error: HeedError) => void) {
  const { source, integrity, stallMs = defaultStallMs } = request
  const found = async () => {
    const files = await find(source)
    if (integrity && integrity.length !== files.length) throw wrongCount(integrity.length, files.length)
    return files
  }
  return { record: recordOf(source), find: found, integrity, stallMs, report, access, giveUp }
}

async function openFromStore(source: string, request: ModelRequest, access: FileAccess, report: ProgressReport): Promise<ModelFile> {
  const missing = () => new HeedError('io', `The store has no ${source}`)
  const place = await access.store()
  const record = { source }
  if (!place || !await loadState(place.folder, await keyOf(record))) throw missing()
  const { integrity } = request
  const find = async () => { throw missing() }
  return (await openKept({ record, find, integrity, stallMs: defaultStallMs, report, access, giveUp: () => {} }))!
}

async function openFiles(request: ModelRequest, access: FileAccess, report: ProgressReport): Promise<ModelFile[]> {
  const { source } = request
  const options = { stallMs: request.stallMs ?? defaultStallMs, notice: (text: string) => report.update({ notice: text }) }
  const openOne = async (part: FileSource, index: number): Promise<ModelFile> => {
    if (part.kind !== 'url' || part.own) return openFile(part, access)
    return openRemote({ name: fileName(part.url), url: part.url }, index)
  }
  const openRemote = async (remote: HubEntry, index: number): Promise<ModelFile> => {
    const file = remoteFile(remote, { ...options, probeBytes: index > 0 ? probeBytes : undefined })
    return remote.sha256 && !request.integrity ? verified(file, await access.sha256(), remote.sha256) : file
  }
  if (source.kind === 'hub' || (source.kind === 'url' && !source.own)) return openAll(await find(source), openRemote)
  if (source.kind === 'set') return openAll(source.parts, openOne)
  if (source.kind === 'path') return openAll(allParts(source.path).map(path => ({ kind: 'path' as const, path })), openOne)
  return [await openFile(source, access)]
}

async function openAll<Source>(sources: readonly Source[], open: (source: Source, index: number) => Promise<ModelFile>): Promise<ModelFile[]> {
  const files: ModelFile[] = []
  try {
    for (const [index, source] of sources.entries()) files.push(await open(source, index))
    return files
  } catch (error) {
    for (const file of files) file.close()
    throw error
  }
}

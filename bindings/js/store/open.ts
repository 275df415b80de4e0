// Opens a source of `loadModel` in the engine worker: one file or several, local or remote, stored or not.
import { HeedError, refuse } from '../wire/errors.js'
import type { FileSource, ModelRequest } from '../wire/model-request.js'
import { crossOriginStorage, sharedFile, sharing } from './cross-origin.js'
import { probeBytes } from './download.js'
import type { StoreAccess } from './folder.js'
import { readHubFile } from './hub-file.js'
import { findOnHub, type HubEntry } from './hub.js'
import { importModel } from './import.js'
import type { FileAccess as WorkerAccess } from './interface.js'
import { joinParts } from './joined.js'
import { keyOf, loadState } from './journal.js'
import type { SourceRecord } from './journal-lines.js'
import type { ModelFile } from './model-file.js'
import { openIfStored, openThroughStore } from './open-through-store.js'
import type { ProgressReport } from './progress.js'
import { recordOf } from './record.js'
import { rangesOf, remoteFile, verified } from './remote-file.js'
import { allParts, fileName, splitName } from './split-name.js'

type FileAccess = WorkerAccess & StoreAccess

const defaultStallMs = 30_000

/** A model as one file, for the loader. Fails with `network`, `io`, `invalid-file` or `invalid-argument`. */
export async function openModel(request: ModelRequest, access: FileAccess, report: ProgressReport): Promise<ModelFile> {
  const { source, head } = request
  const [cache, integrity] = head ? [] : [request.cache, request.integrity]
  if (source.kind === 'stored') return openFromStore(request, access, report)
  const shared = request.crossOrigin && !head && isRemote(source) ? await openShared(request, access, report) : undefined
  if (shared) return shared
  if (cache) {
    const giveUp = (error: HeedError) => report.update({ notice: `Not stored: ${error.message}` })
    const stored = await openThroughStore(storeRequest(request, access, report, giveUp))
    if (stored) return stored
  } else if (isRemote(source)) {
    const stored = await openIfStored({ record: recordOf(source), integrity, access })
    if (stored) return stored
  }
  const files = await openFiles(request, access, report)
  if (integrity && integrity.length !== files.length) throw wrongCount(integrity.length, files.length)
  const checked = integrity
    ? await Promise.all(files.map(async (file, part) => verified(file, await access.sha256(), integrity[part]!)))
    : files
  return oneOf(checked)
}

const isRemote = (source: FileSource) => source.kind === 'hub' || (source.kind === 'url' && !source.own)

/** One model from its files, which are joined if they are parts. */
const oneOf = (files: ModelFile[]) => (files.length > 1 || splitName(files[0]!.name) ? joinParts(files) : files[0]!)

/**
 * Opens a model in Cross-Origin Storage, or downloads it there while it is read; undefined if the browser cannot do this, if a file
 * has no known checksum, or if the model is in the site's own store.
 */
async function openShared(request: ModelRequest, access: FileAccess, report: ProgressReport): Promise<ModelFile | undefined> {
  const ask = crossOriginStorage()
  if (!ask) return undefined
  const { source, integrity, cache, stallMs = defaultStallMs } = request
  const stored = cache === 'reload' ? undefined : await openIfStored({ record: recordOf(source), integrity, access })
  if (stored) return stored
  const found = await find(source, stallMs)
  if (integrity && integrity.length !== found.length) throw wrongCount(integrity.length, found.length)
  const notice = (text: string) => report.update({ notice: text })
  const giveUp = (error: unknown) => notice(`Not stored for all sites: ${(error as Error)?.message}`)
  const files: ModelFile[] = []
  for (const [part, remote] of found.entries()) {
    const sum = integrity?.[part] ?? remote.sha256
    const blob = sum && (await sharedFile(ask, sum))
    const file = blob
      ? verified(await access.openFile({ kind: 'blob', blob, name: remote.name }), await access.sha256(), sum)
      : sum && (await sharing(remoteFile(remote, { stallMs, notice }), sum, { ask, hash: await access.sha256(), giveUp }))
    if (!file) {
      for (const one of files) await one.close()
      return undefined
    }
    files.push(file)
  }
  return oneOf(files)
}

/** Downloads a model into the store. */
export async function storeModel(request: ModelRequest, access: FileAccess, report: ProgressReport): Promise<void> {
  const wanted = storeRequest(request, access, report, error => {
    throw error
  })
  const file = await openThroughStore({ ...wanted, isForLater: true })
  try {
    await file?.complete?.(Infinity)
  } finally {
    await file?.close()
  }
}

/** Copies files into the store. */
export async function importFiles(
  record: SourceRecord,
  name: string,
  source: FileSource,
  access: FileAccess,
  report: ProgressReport,
): Promise<void> {
  const files = await openFiles({ source }, access, report)
  try {
    await importModel(record, name, files, access, report)
  } finally {
    for (const file of files) file.close()
  }
}

const wrongCount = (sums: number, files: number) =>
  refuse(`integrity: ${sums} sum${sums > 1 ? 's' : ''} for ${files} file${files > 1 ? 's' : ''}`)

/** The remote files of a source. */
async function find(source: FileSource, stallMs: number): Promise<HubEntry[]> {
  if (source.kind === 'hub') return findOnHub(readHubFile(source.source, source.options), stallMs)
  if (source.kind === 'url') return allParts(source.url).map(url => ({ name: fileName(url), url }))
  return []
}

function storeRequest(request: ModelRequest, access: FileAccess, report: ProgressReport, giveUp: (error: HeedError) => void) {
  const { source, integrity, cache, stallMs = defaultStallMs } = request
  const found = async () => {
    const files = await find(source, stallMs)
    if (integrity && integrity.length !== files.length) throw wrongCount(integrity.length, files.length)
    return files
  }
  return { record: recordOf(source), find: found, integrity, stallMs, report, access, giveUp, isChecked: cache === 'reload' }
}

async function openFromStore(request: ModelRequest, access: FileAccess, report: ProgressReport): Promise<ModelFile> {
  const record = recordOf(request.source)
  const { integrity } = request
  const missing = (what: string) => new HeedError('io', `${record.source} is not in the store${what}`)
  const place = await access.store()
  if (!place || !(await loadState(place.folder, await keyOf(record)))) throw missing('')
  const find = async () => {
    throw missing(integrity ? ' with this SHA-256' : ' completely: import it again')
  }
  const giveUp = (error: HeedError) => {
    throw error
  }
  return (await openThroughStore({ record, find, integrity, stallMs: defaultStallMs, report, access, giveUp }))!
}

async function openFiles(request: ModelRequest, access: FileAccess, report: ProgressReport): Promise<ModelFile[]> {
  const { source } = request
  const options = { stallMs: request.stallMs ?? defaultStallMs, notice: (text: string) => report.update({ notice: text }) }
  const openOne = async (part: FileSource, index: number): Promise<ModelFile> => {
    if (part.kind !== 'url' || part.own) return access.openFile(part)
    return openRemote({ name: fileName(part.url), url: part.url }, index)
  }
  const openRemote = async (remote: HubEntry, index: number): Promise<ModelFile> => {
    if (request.head) return rangesOf(remote, options)
    const file = remoteFile(remote, { ...options, probeBytes: index > 0 ? probeBytes : undefined })
    return remote.sha256 && !request.integrity ? verified(file, await access.sha256(), remote.sha256) : file
  }
  if (isRemote(source)) {
    return openAll(await find(source, options.stallMs), openRemote)
  }
  if (source.kind === 'set') return openAll(source.parts, openOne)
  if (source.kind === 'path')
    return openAll(
      allParts(source.path).map(path => ({ kind: 'path' as const, path })),
      openOne,
    )
  return [await access.openFile(source)]
}

async function openAll<Source>(
  sources: readonly Source[],
  open: (source: Source, index: number) => Promise<ModelFile>,
): Promise<ModelFile[]> {
  const files: ModelFile[] = []
  try {
    for (const [index, source] of sources.entries()) files.push(await open(source, index))
    return files
  } catch (error) {
    for (const file of files) file.close()
    throw error
  }
}

// Finds the files of a dictionary: in a folder, at an address, on a hub, or among Files.
import type { FeaturesSource, ModelSource } from '../../../types/index.js'
import { HeedError, refuse } from '../../../wire/errors.js'
import { openFile, readFile } from '../../files.js'
import { isObject } from '../../readers.js'
import type { Desk } from '../desk.js'
import type { LabOptions } from '../options.js'

/** The files of a dictionary by name; undefined for one that is not there. */
export interface Files {
  /** The name of the source in messages. */
  readonly name: string
  /** The name of the file with the tensors, if the caller named one. */
  readonly only?: string
  read(name: string): Promise<Uint8Array | undefined>
}

type Options = Pick<LabOptions<'loadFeatures'>, 'hub' | 'cache' | 'stallTimeout' | 'signal' | 'onProgress'>

const lastOf = (path: string) => path.split(/[\\/]/).at(-1)!
const isFile = (name: string) => /\.(npz|safetensors)$/i.test(name)

/** The files of a source. Throws `invalid-argument` for a value that is not a source. */
export function filesOf(desk: Desk, source: FeaturesSource, options: Options): Files {
  const bytesOf = (file: ModelSource) =>
    readFile(
      'loadFeatures',
      openFile('loadFeatures', file, { ...options, perhaps: true }, desk.place),
      options,
      desk.connection,
      desk.place,
      (request, asked) => desk.connection.call({ type: 'readFile', ...request }, asked),
    )
  if (typeof source === 'string' || source instanceof URL) {
    const address = `${source}`.replace(/[\\/]+$/, '')
    const only = isFile(address) ? lastOf(address) : undefined
    const folder = only === undefined ? address : address.slice(0, -only.length - 1)
    return {
      name: address,
      only,
      read: name =>
        bytesOf(folder === '' ? name : `${folder}/${name}`).catch((error: unknown) => {
          const { code } = HeedError.from(error)
          if (code === 'io' || code === 'network') return undefined
          throw error
        }),
    }
  }
  const list: [string, ModelSource][] =
    source instanceof Blob
      ? [[(source as Partial<File>).name ?? 'params.npz', source]]
      : Array.isArray(source)
        ? (source as readonly File[]).map(file => [file.name, file])
        : isObject(source)
          ? (Object.entries(source) as [string, ModelSource][])
          : []
  if (list.length === 0 || list.some(([name]) => typeof name !== 'string'))
    throw refuse(
      'loadFeatures: source: expected a folder, an address, hf:OWNER/REPOSITORY/FOLDER, Files, or an object from names to files',
    )
  const byName = new Map(list.map(([name, file]) => [lastOf(name), file]))
  const single = [...byName.keys()].filter(isFile)
  return {
    name: single[0] ?? list[0]![0],
    only: single.length === 1 ? single[0] : undefined,
    read: async name => (byName.has(name) ? bytesOf(byName.get(name)!) : undefined),
  }
}

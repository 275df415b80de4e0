// The store's name for a source.
import { HeedError } from '../wire/errors.js'
import type { FileSource } from '../wire/model-request.js'
import { hubRecord, readHubFile } from './hub-file.js'
import type { SourceRecord } from './journal.js'
import { splitName } from './split-name.js'

/** Throws `invalid-argument` if the source is neither a download nor in the store. */
export function recordOf(source: FileSource): SourceRecord {
  if (source.kind === 'hub') return hubRecord(readHubFile(source.source, source.options))
  if (source.kind === 'url') return { source: splitName(source.url)?.of(1) ?? source.url }
  if (source.kind === 'stored') {
    const { source: text, revision, endpoint } = source
    return { source: text, revision, endpoint }
  }
  throw new HeedError('invalid-argument', 'Only downloads are stored; for other files, use modelStore.import')
}

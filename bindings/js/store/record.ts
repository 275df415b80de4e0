// The store's name for a source.
import { refuse } from '../wire/errors.js'
import type { FileSource } from '../wire/model-request.js'
import { hubRecord, readHubFile } from './hub-file.js'
import type { SourceRecord } from './journal-lines.js'
import { unsigned } from './signature.js'
import { splitName } from './split-name.js'

/** The store's name for a source. Throws `invalid-argument` if the source is neither a download nor in the store. */
export function recordOf(source: FileSource): SourceRecord {
  if (source.kind === 'hub') return hubRecord(readHubFile(source.source, source.options))
  if (source.kind === 'url') {
    const address = unsigned(source.url)
    return { source: splitName(address)?.of(1) ?? address }
  }
  if (source.kind === 'stored') {
    const { source: text, revision, endpoint } = source
    return { source: text, revision, endpoint }
  }
  throw refuse('Only downloads are stored; for other files, use modelStore.import')
}

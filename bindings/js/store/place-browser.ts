// The store in a browser; undefined if the browser gives this page no files or no locks.
import { openFolder } from './folder-opfs.js'
import type { StorePlace } from './folder.js'
import { webLocks } from './locks-web.js'

export async function browserStore(part?: 'kept', create?: boolean): Promise<StorePlace | undefined> {
  const folder = globalThis.navigator?.locks && (await openFolder(part, create))
  return folder && { folder, locks: webLocks }
}

// Files of the origin private file system by sync access handles (https://fs.spec.whatwg.org/#api-filesystemsyncaccesshandle), plus
// errors that browsers omit: in Chromium's private windows, `read`, `write` and `getSize` return the number of an error as a count
// (base::File::Error without its sign; 156), and `truncate` returns without effect.

/** TypeScript declares this only for workers. */
export interface SyncAccess {
  getSize(): number
  read(place: Uint8Array, options: { at: number }): number
  write(bytes: Uint8Array, options: { at: number }): number
  truncate(size: number): void
  flush(): void
  close(): void
}
export interface SyncHandle {
  createSyncAccessHandle(options?: { mode: 'read-only' }): Promise<SyncAccess>
}

/** base::File::FILE_ERROR_NO_SPACE, which is -8, in 32 bits. */
const noSpace = 2 ** 32 - 8

/** Returns a count that a handle has returned. Throws if the count is the number of an error. */
function counted(count: number, most: number): number {
  if (count >= 0 && count <= most) return count
  throw count === noSpace
    ? new DOMException('there is no space left', 'QuotaExceededError')
    : new DOMException(
        `the browser reports ${count} instead of a number of bytes: the file may have been deleted`,
        'InvalidStateError',
      )
}

/** The common part of readers and writers. */
export const syncReader = (access: SyncAccess) => ({
  size: () => counted(access.getSize(), Number.MAX_SAFE_INTEGER),
  read: (at: number, place: Uint8Array) => counted(access.read(place, { at }), place.length),
  close: () => access.close(),
})

export const syncWriter = (access: SyncAccess) => ({
  ...syncReader(access),
  write(at: number, bytes: Uint8Array) {
    if (counted(access.write(bytes, { at }), bytes.length) < bytes.length)
      throw new DOMException('the disk is full', 'QuotaExceededError')
  },
  truncate(size: number) {
    access.truncate(size)
    if (access.getSize() !== size) throw new DOMException('the disk is full', 'QuotaExceededError')
  },
  flush: () => access.flush(),
})

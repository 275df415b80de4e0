// A worker that reads the stored model file into memory: a lower bound for loading a stored model.
const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('heed-models')
for await (const [name, handle] of folder) {
  if (!name.endsWith('.gguf')) continue
  const start = performance.now()
  const access = await handle.createSyncAccessHandle()
  const place = new Uint8Array(access.getSize())
  let bytes = 0
  for (let count; (count = access.read(place.subarray(bytes, bytes + (1 << 24)), { at: bytes })) > 0; ) bytes += count
  access.close()
  self.postMessage({ bytes, milliseconds: performance.now() - start })
}

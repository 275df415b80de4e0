// Serves a temporary folder to the benchmark's browser.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '../serve.mjs'

/** `fill(folder)` puts the pages there; `files`: {name: path} of files to link beside them. Resolves to {url, close()}. */
export async function serveFolder(files, fill) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-bench-'))
  await fill(folder)
  for (const [name, path] of Object.entries(files)) symlinkSync(path, join(folder, name))
  const server = await serve(folder)
  return {
    url: server.url,
    async close() {
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

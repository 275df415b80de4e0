// Serves the files of the benchmark's pages: scripts, the built package, the probes, wllama and the models.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inRoot } from '../paths.mjs'
import { serve } from '../serve.mjs'

/** Serves a temporary folder with all of them; `models`: {name: path}. Resolves to {url, close()}. */
export async function serveBench(models) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-bench-'))
  cpSync(inRoot('tools/bench/site'), folder, { recursive: true })
  cpSync(inRoot('dist'), join(folder, 'dist'), { recursive: true })
  const worker = join(folder, 'dist/heed-worker.js')
  const recorder = readFileSync(join(folder, 'recorder.js'), 'utf8')
  writeFileSync(worker, `{${recorder}}\n${readFileSync(worker, 'utf8')}`)
  symlinkSync(inRoot('build/wasm-relaxed/probes'), join(folder, 'probes'))
  symlinkSync(inRoot('node_modules/@wllama/wllama/esm'), join(folder, 'wllama'))
  for (const [name, path] of Object.entries(models)) symlinkSync(path, join(folder, name))
  const server = await serve(folder)
  return {
    url: server.url,
    async close() {
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

// Serves the files of the benchmark's pages: scripts, the built package, the probes, wllama and the models.
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../paths.mjs'
import { serveFolder } from './folder.mjs'

/** `models`: {name: path}; `wllama`: the folder of another version. Resolves to {url, close()}. */
export const serveBench = (models, wllama = inRoot('node_modules/@wllama/wllama/esm')) =>
  serveFolder(models, folder => {
    cpSync(inRoot('tools/bench/site'), folder, { recursive: true })
    cpSync(inRoot('dist'), join(folder, 'dist'), { recursive: true })
    const worker = join(folder, 'dist/heed-worker.js')
    const recorder = readFileSync(join(folder, 'recorder.js'), 'utf8')
    writeFileSync(worker, `{${recorder}}\n${readFileSync(worker, 'utf8')}`)
    symlinkSync(inRoot('build/wasm-relaxed/probes'), join(folder, 'probes'))
    symlinkSync(wllama, join(folder, 'wllama'))
  })

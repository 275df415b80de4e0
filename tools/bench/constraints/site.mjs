// Serves what the benchmark of constraints measures: the module, the worker's wrapper of it, XGrammar's package, and the inputs.
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wasmOf } from '../../building/modules.mjs'
import { bundlePart } from '../../building/parts.mjs'
import { inRoot } from '../../paths.mjs'
import { serve } from '../../serve.mjs'

/** `inputs`: {name: path} of files; `xgrammar`: the folder of its script, if it is measured. Resolves to {url, close()}. */
export async function serveConstraints(inputs, xgrammar) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-bench-'))
  cpSync(inRoot('tools/bench/constraints/site'), folder, { recursive: true })
  await bundlePart('worker/constraints/module.ts', join(folder, 'constraint-module.js'))
  cpSync(wasmOf('constraints'), join(folder, 'heed-constraints.wasm'))
  if (xgrammar) symlinkSync(xgrammar, join(folder, 'xgrammar'))
  for (const [name, path] of Object.entries(inputs)) symlinkSync(path, join(folder, name))
  const server = await serve(folder)
  return {
    url: server.url,
    async close() {
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

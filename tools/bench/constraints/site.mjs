// Serves the files of the constraints benchmark: the module, the worker's wrapper of it, XGrammar's package, and the inputs.
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { wasmOf } from '../../building/modules.mjs'
import { bundlePart } from '../../building/parts.mjs'
import { inRoot } from '../../paths.mjs'
import { serveFolder } from '../folder.mjs'

/** `inputs`: {name: path} of files; `xgrammar`: the folder of its script, if it is measured. Resolves to {url, close()}. */
export const serveConstraints = (inputs, xgrammar) =>
  serveFolder(inputs, async folder => {
    cpSync(inRoot('tools/bench/constraints/site'), folder, { recursive: true })
    await bundlePart('worker/constraints/module.ts', join(folder, 'constraint-module.js'))
    cpSync(wasmOf('heed-constraints.wasm'), join(folder, 'heed-constraints.wasm'))
    if (xgrammar) symlinkSync(xgrammar, join(folder, 'xgrammar'))
  })

// transformers.js (https://www.npmjs.com/package/@huggingface/transformers), with the onnxruntime-web that it names.
import { join } from 'node:path'
import { installPeer } from './peers.mjs'

const name = '@huggingface/transformers'

/** Resolves to the folders of the scripts that the benchmark's page imports, {name there: path}. */
export async function installTransformersJs() {
  const modules = join(await installPeer('transformers.js', { [name]: '4.3.2' }), 'node_modules')
  return { 'transformers.js': join(modules, name, 'dist'), 'onnxruntime-web': join(modules, 'onnxruntime-web', 'dist') }
}

// The models that a benchmark's options select.
import { basename, resolve } from 'node:path'
import { buildNative } from '../../building/native.mjs'
import { inRoot } from '../../paths.mjs'
import { execute } from '../../running/execute.mjs'
import { modelFile } from './index.mjs'
import { shapes, tensorsOf } from './shapes.mjs'

/** Resolves to [{name, path, tensors}] of the selected models; writes the files that are missing. */
export async function chosenModels({ file, model, format }, toolchain) {
  if (file) {
    await buildNative(toolchain)
    const { stdout } = await execute(inRoot('tools/heed'), ['info', file], { capture: true })
    return [{ name: basename(file, '.gguf'), path: resolve(file), tensors: JSON.parse(stdout).tensors }]
  }
  return model.flatMap(shape =>
    format.map(format => ({
      name: `${shape}-${format}`,
      path: modelFile(shape, format),
      tensors: tensorsOf(shapes[shape], format),
    })),
  )
}

// Bundles single files of bindings/js as scripts, for tests and benchmarks of code that the package does not export.
import { inRoot } from '../paths.mjs'

/** Bundles the file `part` of bindings/js, with all that it imports, as the ES module `file`. */
export async function bundlePart(part, file) {
  const { build } = await import('rolldown') // not earlier: npm's packages may just have been installed
  await build({
    input: inRoot('bindings/js', part),
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    onLog(level, log) {
      if (level === 'warn') throw new Error(`${part}: ${log.message}`)
    },
    output: { file, format: 'es', codeSplitting: false },
  })
}

// npm packages as scripts for pages without a bundler.
import { build } from 'rolldown'
import { inRoot } from '../../tools/paths.mjs'

/** The code of one module with all exports of these packages, or files of ours. */
export const pageModule = (...inputs) => bundled('production', inputs.map(all))

/** The code of one module with what a package exports as its default. */
export const defaultModule = name => bundled('production', [`export { default } from '${name}'`])

/** As pageModule, with the checks that packages make in development, such as React's StrictMode. */
export const developmentModule = (...inputs) => bundled('development', inputs.map(all))

const all = name => `export * from '${name}'`

async function bundled(mode, lines) {
  const entry = inRoot('page-module.js') // does not exist: a virtual module
  const {
    output: [{ code }],
  } = await build({
    input: entry,
    platform: 'browser',
    write: false,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    transform: { define: { 'process.env.NODE_ENV': JSON.stringify(mode) } },
    plugins: [
      {
        name: 'page-module',
        resolveId: id => (id === entry ? id : undefined),
        load: id => (id === entry ? lines.join('\n') : undefined),
      },
    ],
    onLog(level, log) {
      if (level === 'warn' && log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
    },
    output: { format: 'es', codeSplitting: false },
  })
  return code
}

// Bundles the scripts of dist/, one for each entry point of bindings/js.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inRoot } from '../paths.mjs'
import { glueOf, moduleNames } from './modules.mjs'

/** The entry points that scripts import on demand, and the scripts that these then fetch, by the kind of the script that imports. */
const fetchedLater = kind => ({
  [inRoot('bindings/js/page/chat/converse-script.ts')]: {
    page: './converse.js',
    node: './converse.node.js',
    commonjs: './converse.cjs',
  }[kind],
  [inRoot('bindings/js/page/chat/script.ts')]: { page: './chat.js', node: './chat.node.js', commonjs: './chat.cjs' }[kind],
  [inRoot('bindings/js/images/script.ts')]: { node: './images.node.js' }[kind],
  [inRoot('bindings/js/page/shared/script.ts')]: './shared.js', // which only pages fetch
  [inRoot('bindings/js/page/lab/script.ts')]: { page: './lab.js', node: './lab.node.js', commonjs: './lab.cjs' }[kind],
  [inRoot('bindings/js/page/audio/script.ts')]: { page: './audio.js', node: './audio.node.js', commonjs: './audio.cjs' }[kind],
  [inRoot('bindings/js/index.ts')]: { page: './index.js' }[kind],
  [inRoot('bindings/js/index.node.ts')]: { node: './index.node.js', commonjs: './index.node.cjs' }[kind],
})

/** The script with the glue of a module. */
export const glueScript = name => ({
  name: `heed-${name}.js`,
  entry: 'heed-glue.ts',
  format: 'iife',
  alias: { '#glue/module': glueOf(name) },
})

/**
 * The scripts that the page fetches, except the glue. Browser workers are not modules: they run wherever a bundler or a server puts
 * them, and as copies if the package comes from another origin.
 */
export const pageScripts = [
  { name: 'index.js', entry: 'index.ts', format: 'es' },
  { name: 'isolation.js', entry: 'isolation.ts', format: 'es' },
  { name: 'converse.js', entry: 'page/chat/converse-script.ts', format: 'es' },
  { name: 'chat.js', entry: 'page/chat/script.ts', format: 'es' },
  { name: 'lab.js', entry: 'page/lab/script.ts', format: 'es' },
  { name: 'shared.js', entry: 'page/shared/script.ts', format: 'es' },
  { name: 'audio.js', entry: 'page/audio/script.ts', format: 'es' },
  { name: 'heed-worker.js', entry: 'heed-worker.ts', format: 'iife' },
  { name: 'heed-store.js', entry: 'heed-store.ts', format: 'iife' },
  { name: 'heed-template.js', entry: 'heed-template.ts', format: 'iife' },
  { name: 'heed-constraints.js', entry: 'heed-constraints.ts', format: 'iife' },
  { name: 'heed-lab.js', entry: 'heed-lab.ts', format: 'iife' },
  { name: 'heed-kept.js', entry: 'heed-kept.ts', format: 'iife' },
  { name: 'heed-microphone.js', entry: 'heed-microphone.ts', format: 'iife' },
]

export const otherScripts = [
  { name: 'in-thread.js', entry: 'in-thread.ts', format: 'es' },
  { name: 'converse.node.js', entry: 'page/chat/converse-script.ts', format: 'es', platform: 'node' },
  { name: 'converse.cjs', entry: 'page/chat/converse-script.ts', format: 'cjs', platform: 'node' },
  { name: 'chat.node.js', entry: 'page/chat/script.ts', format: 'es', platform: 'node' },
  { name: 'chat.cjs', entry: 'page/chat/script.ts', format: 'cjs', platform: 'node' },
  { name: 'images.node.js', entry: 'images/script.ts', format: 'es', platform: 'node' },
  { name: 'lab.node.js', entry: 'page/lab/script.ts', format: 'es', platform: 'node' },
  { name: 'lab.cjs', entry: 'page/lab/script.ts', format: 'cjs', platform: 'node' },
  { name: 'audio.node.js', entry: 'page/audio/script.ts', format: 'es', platform: 'node' },
  { name: 'audio.cjs', entry: 'page/audio/script.ts', format: 'cjs', platform: 'node' },
  { name: 'openai.js', entry: 'facades/openai/index.ts', format: 'es' },
  { name: 'openai.node.js', entry: 'facades/openai/index.ts', format: 'es', platform: 'node' },
  { name: 'openai.cjs', entry: 'facades/openai/index.ts', format: 'cjs', platform: 'node' },
  { name: 'ai-sdk.js', entry: 'facades/ai-sdk/index.ts', format: 'es' },
  { name: 'prompt-api.js', entry: 'facades/prompt-api/index.ts', format: 'es' },
  { name: 'prompt-api.node.js', entry: 'facades/prompt-api/index.ts', format: 'es', platform: 'node' },
  { name: 'prompt-api.cjs', entry: 'facades/prompt-api/index.ts', format: 'cjs', platform: 'node' },
  { name: 'task-apis.js', entry: 'facades/task-apis/index.ts', format: 'es' },
  { name: 'task-apis.node.js', entry: 'facades/task-apis/index.ts', format: 'es', platform: 'node' },
  { name: 'task-apis.cjs', entry: 'facades/task-apis/index.ts', format: 'cjs', platform: 'node' },
  { name: 'langchain.js', entry: 'facades/langchain/index.ts', format: 'es' },
  { name: 'langchain.cjs', entry: 'facades/langchain/index.ts', format: 'cjs', platform: 'node' },
  { name: 'mcp.js', entry: 'facades/mcp/index.ts', format: 'es' },
  { name: 'mcp.cjs', entry: 'facades/mcp/index.ts', format: 'cjs', platform: 'node' },
  { name: 'react.js', entry: 'facades/react/index.ts', format: 'es' },
  { name: 'react.node.js', entry: 'facades/react/index.node.ts', format: 'es', platform: 'node' },
  { name: 'react.cjs', entry: 'facades/react/index.node.ts', format: 'cjs', platform: 'node' },
  { name: 'heed-isolation.js', entry: 'heed-isolation.ts', format: 'iife' },
  { name: 'index.node.js', entry: 'index.node.ts', format: 'es', platform: 'node' },
  { name: 'index.node.cjs', entry: 'index.node.ts', format: 'cjs', platform: 'node' },
  { name: 'ai-sdk.node.js', entry: 'facades/ai-sdk/index.node.ts', format: 'es', platform: 'node' },
  { name: 'ai-sdk.cjs', entry: 'facades/ai-sdk/index.node.ts', format: 'cjs', platform: 'node' },
  { name: 'heed-worker.node.js', entry: 'heed-worker.node.ts', format: 'es', platform: 'node' },
  { name: 'heed-template.node.js', entry: 'heed-template.node.ts', format: 'es', platform: 'node' },
  { name: 'heed-images.node.js', entry: 'heed-images.node.ts', format: 'es', platform: 'node' },
  { name: 'heed-thread.node.js', entry: 'heed-thread.node.ts', format: 'es', platform: 'node' },
  { name: 'heed-cli.js', entry: 'cli/main.ts', format: 'es', platform: 'node' },
]

/** The replacement for the glue of a module that was not built, in scripts that include all glue. */
function absentGlue(name) {
  const path = inRoot('build/modules', `absent-${name}.js`)
  writeFileSync(
    path,
    `export default () => { throw new Error('heed-${name} is not built, which is needed here: npm run build') }\n`,
  )
  return path
}

/**
 * Bundles a script into dist/; `built` names the modules that are there. Scripts for Node are not minified: with an error that nobody
 * catches, Node prints the line that threw it.
 */
export async function bundle({ name, entry, format, platform = 'browser', alias = {} }, built) {
  const { build } = await import('rolldown') // not earlier: npm's packages may just have been installed
  const glues = moduleNames.map(module => [`#glue/${module}`, built.includes(module) ? glueOf(module) : absentGlue(module)])
  const isForNode = platform === 'node'
  const kind = format === 'cjs' ? 'commonjs' : isForNode ? 'node' : 'page'
  await build({
    input: inRoot('bindings/js', entry),
    platform,
    external: ['heed', 'heed/openai', 'react', /^@langchain\//],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, alias: { ...Object.fromEntries(glues), ...alias } },
    plugins: [unaddressedGlue, plainAddresses, ...(name === 'in-thread.js' ? [] : [onDemand(fetchedLater(kind))])],
    checks: { pluginTimings: false }, // its warning appears or not depending on the machine's load
    onLog(level, log) {
      if (level === 'warn') throw new Error(`${name}: ${log.message}`)
    },
    output: {
      file: inRoot('dist', name),
      format,
      minify: !isForNode,
      comments: false,
      banner: name.startsWith('react.') ? "'use client'" : undefined, // hooks, for frameworks that render on servers
      sourcemap: true,
      codeSplitting: false,
      ...(format === 'cjs' && required),
    },
  })
}

/** CommonJS scripts load others with `require`: test runners such as Jest support no `import()` in CommonJS. */
const required = { dynamicImportInCjs: false }

/**
 * Emscripten's glue contains URLs of files next to it, for callers that do not pass in the module. All our callers do, and a
 * bundler that saw these URLs would look for the files.
 */
const unaddressedGlue = {
  name: 'unaddressed-glue',
  transform(code, id) {
    if (!moduleNames.some(name => id === glueOf(name))) return
    return { code: code.replaceAll('import.meta.url', '""'), map: { mappings: '' } }
  },
}

/**
 * Scripts fetch the scripts that they import on demand. in-thread.js contains them, because service workers cannot import anything
 * later.
 */
const onDemand = scripts => ({
  name: 'on-demand',
  resolveId(source, importer) {
    const script = importer && source.startsWith('.') && scripts[join(dirname(importer), source).replace(/\.js$/, '.ts')]
    return script ? { id: script, external: true } : undefined
  },
})

/** The minifier writes strings in backquotes, in which some bundlers do not recognize the URL of a file. */
export const plainAddresses = {
  name: 'plain-addresses',
  generateBundle(_, outputs) {
    for (const output of Object.values(outputs)) {
      output.code = output.code
        ?.replace(/new URL\(`([^`$]+)`,import\.meta\.url\)/g, 'new URL("$1",import.meta.url)')
        .replace(/import\(`([^`$]+)`\)/g, 'import("$1")')
    }
  },
}

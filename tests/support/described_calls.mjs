// The descriptions of the options of every call, from the sources of the package.
import { rolldown } from 'rolldown'
import { inRoot } from '../../tools/paths.mjs'

export async function describedCalls() {
  const bundle = await rolldown({
    input: inRoot('bindings/js/page/options.ts'),
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  })
  const {
    output: [{ code }],
  } = await bundle.generate({ format: 'es' })
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).calls
}

// A module that has not been built, as after a test build, which contains only the fastest one: calls that need it fail with an
// explanation.
import { test } from 'node:test'
import { loadModel } from 'heed'
import { isBuilt } from '../support/modules.mjs'
import { rejectsWith } from './support.mjs'

for (const [name, options] of Object.entries({ simd128: { simd: 'simd128' }, memory64: { memory64: true } })) {
  test(`heed-${name} is not built`, { skip: isBuilt(name) && 'it is built' }, () =>
    rejectsWith('unsupported', new RegExp(`heed-${name}\\.js of [0-9a-f]+ is not built, which is needed here: npm run build`), () =>
      loadModel(undefined, options),
    ),
  )
}

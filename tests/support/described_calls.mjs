// The descriptions by which the options of every call are read, from the sources of the package.
import { exportsOf } from '../../tools/contract/load.mjs'

export const describedCalls = async () => (await exportsOf('bindings/js/page/calls.generated.ts')).calls

import { buildPreset } from './cmake.mjs'

/** Builds build/native-release/heed, which tools/heed runs. */
export const buildNative = toolchain => buildPreset(toolchain, 'native-release', ['heed_cli'])

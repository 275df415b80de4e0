// `npm test` sets up what is missing, runs every suite, and ends with a line of totals.
// `npm test -- SUITE ...` runs only those suites.
import { buildPackage as buildPackageAnew } from './building/package.mjs'
import { browserObstacle, needBrowser } from './browsers/install.mjs'
import { buildNative, buildPage } from './build.mjs'
import { buildPreset } from './building/cmake.mjs'
import { installNpmPackages } from './building/npm.mjs'
import { nativeTests, newWasmTests, wasmTests } from './testing/catch2.mjs'
import { inWords, noTests, sumOf } from './testing/counts.mjs'
import { formatTests } from './testing/format.mjs'
import { fuzzTests } from './testing/fuzz.mjs'
import { lintTests } from './testing/lint.mjs'
import { nodeTests } from './testing/node.mjs'
import { tidyTests } from './testing/tidy.mjs'
import { openToolchain } from './toolchain/index.mjs'

/** Builds the package only once, even if several suites need it. */
let built
const buildPackage = toolchain => built ??= buildPackageAnew(toolchain)

/** Runs the tests of a folder in a browser; counts as one skipped test if the browser is missing and cannot be installed. */
const browserTests = (folder, browser, build) => async toolchain => {
  const obstacle = browserObstacle(browser)
  if (obstacle) {
    console.log(`SKIPPED: ${obstacle}`)
    return { ...noTests, skipped: 1 }
  }
  await needBrowser(browser)
  await build(toolchain)
  return nodeTests(folder, { env: { HEED_BROWSER: browser } })
}

const suites = {
  'format': formatTests,
  'lint': lintTests,
  'tidy': tidyTests,
  'native-debug': nativeTests('native-debug'),
  'fuzz': fuzzTests,
  'native-tsan': nativeTests('native-tsan'),
  'native-release': nativeTests('native-release'),
  'wasm-simd128': wasmTests('wasm-simd128'),
  'wasm-relaxed': newWasmTests('wasm-relaxed'),
  'wasm-memory64': newWasmTests('wasm-memory64'),
  'program': async toolchain => {
    await buildNative(toolchain)
    return nodeTests('tests/cli')
  },
  'package': async toolchain => {
    await buildPackage(toolchain)
    return nodeTests('tests/package')
  },
  'chat': async toolchain => {
    await buildNative(toolchain)
    await buildPackage(toolchain)
    return nodeTests('tests/chat')
  },
  'store': async toolchain => {
    await buildPackage(toolchain)
    return nodeTests('tests/store')
  },
  // The toolchain's Node also runs relaxed SIMD; the host's may be too old.
  'package-relaxed': async toolchain => {
    await buildPackage(toolchain)
    return nodeTests('tests/package', { node: 'node', run: toolchain.run })
  },
  // One of its tests needs a browser, and is skipped if there is none.
  'openai': async toolchain => {
    await buildPackage(toolchain)
    if (!browserObstacle('chromium')) await needBrowser('chromium')
    return nodeTests('tests/openai')
  },
  'ai-sdk': async toolchain => {
    await buildPackage(toolchain)
    return nodeTests('tests/ai-sdk')
  },
  'prompt-api': async toolchain => {
    await buildPackage(toolchain)
    return nodeTests('tests/prompt-api')
  },
  'npx': async toolchain => {
    await buildPackage(toolchain)
    return nodeTests('tests/npx')
  },
  'tarball': async toolchain => {
    await buildPackage(toolchain)
    return nodeTests('tests/tarball')
  },
  'bench': async toolchain => {
    await buildPackage(toolchain)
    await buildPreset(toolchain, 'native-release', ['heed_kernel_bench', 'heed_tokenizer_bench'])  // checks that they still compile
    return nodeTests('tests/bench')
  },
  'package-chromium': browserTests('tests/browser', 'chromium', buildPackage),
  'package-firefox': browserTests('tests/browser', 'firefox', buildPackage),
  'package-webkit': browserTests('tests/browser', 'webkit', buildPackage),
  'environments': browserTests('tests/environments', 'chromium', buildPackage),
  'page': browserTests('tests/page', 'chromium', buildPage),
}

/** Runs one suite. A suite that cannot be built counts as one failure, and so does one without tests. */
async function runSuite(name, toolchain) {
  console.log(`\n== ${name}`)
  try {
    const counts = await suites[name](toolchain)
    if (counts.passed + counts.failed + counts.skipped > 0) return counts
    console.error(`${name}: no tests found`)
  } catch (error) {
    console.error(`${name}: ${error.message}`)
  }
  return { ...noTests, failed: 1 }
}

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(suites)
const unknown = chosen.filter(name => !(name in suites))
if (unknown.length > 0) {
  console.error(`unknown suite ${unknown.join(', ')}; known: ${Object.keys(suites).join(', ')}`)
  process.exit(2)
}

if (process.argv.length === 2) console.log('All suites take about 45 minutes on two cores the first time, and about 30 later.')
const start = performance.now()
let total = noTests
const lines = []
try {
  const toolchain = await openToolchain()
  await installNpmPackages()
  for (const name of chosen) {
    const suiteStart = performance.now()
    const counts = await runSuite(name, toolchain)
    total = sumOf([total, counts])
    lines.push(`${name}: ${inWords(counts)} (${((performance.now() - suiteStart) / 1000).toFixed(0)} s)`)
  }
} catch (error) {
  console.error(error.message)
  total = sumOf([total, { ...noTests, failed: 1 }])
}
console.log(`\n${lines.join('\n')}\n${((performance.now() - start) / 1000).toFixed(0)} s in all`)
console.log(inWords(total))
process.exitCode = total.failed > 0 ? 1 : 0

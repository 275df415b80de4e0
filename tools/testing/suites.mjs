// The suites of tests: what each needs, and how it runs. `npm test` runs the `everyday` suites, `npm run test:all` the others, and
// whole those of which `npm test` runs a part.
import { browserObstacle, findBrowser, needBrowser } from '../browsers/install.mjs'
import { buildPreset } from '../building/cmake.mjs'
import { allModuleNames, buildModule } from '../building/modules.mjs'
import { installNpmPackages } from '../building/npm.mjs'
import { assemblePackage } from '../building/package.mjs'
import { buildPageOf } from '../building/page.mjs'
import { say } from '../running/steps.mjs'
import { openToolchain } from '../toolchain/index.mjs'
import { newNode, oldNode } from '../toolchain/node.mjs'
import { armTests } from './arm.mjs'
import { nativeTests, wasmTests } from './catch2.mjs'
import { noTests } from './counts.mjs'
import { formatTests } from './format.mjs'
import { fuzzTests } from './fuzz.mjs'
import { lintTests } from './lint.mjs'
import { nodeTests } from './node.mjs'
import { tidyTests } from './tidy.mjs'

/** Installs a missing browser; resolves to the reason if that is impossible. */
async function browser(name) {
  const obstacle = browserObstacle(name)
  if (!obstacle) await needBrowser(name)
  return obstacle
}

/** Builds targets of a preset, with its tests. */
const build = (preset, ...targets) => ({
  needs: ['toolchain'],
  run: (jobs, { toolchain }) => buildPreset(toolchain, preset, targets, { tests: true, jobs }),
})

/**
 * The same for targets that take as long to compile as the modules and Emscripten's libraries together, and whose tests take
 * minutes: with only its share of the cores, it would delay the end of `npm test`.
 */
const buildSoon = (...parts) => {
  const { needs, run } = build(...parts)
  return { needs, run: (jobs, values) => run(2 * jobs, values) }
}

/** The preparations of suites, as tasks: `modules` are those that this run builds. */
export const preparations = modules => ({
  'toolchain for modules': { light: true, run: () => openToolchain({ native: false }) }, // ready sooner: modules are compiled meanwhile
  toolchain: { light: true, needs: ['toolchain for modules'], run: () => openToolchain() },
  'toolchain for arm': { light: true, needs: ['toolchain'], run: () => openToolchain({ arm: true }) },
  npm: { light: true, run: installNpmPackages },
  'new node': { light: true, run: newNode },
  'old node': { light: true, run: oldNode },
  chromium: { light: true, needs: ['npm'], run: () => browser('chromium') },
  'whole chromium': { light: true, needs: ['npm'], run: () => browser('whole chromium') },
  firefox: { light: true, needs: ['npm'], run: () => browser('firefox') },
  webkit: { light: true, needs: ['npm'], run: () => browser('webkit') },
  'webkit-next': { light: true, needs: ['npm'], run: () => browser('webkit-next') },
  ...Object.fromEntries(
    allModuleNames.map(name => [
      `module ${name}`,
      {
        needs: ['toolchain for modules'],
        run: (jobs, { 'toolchain for modules': toolchain }) => buildModule(toolchain, name, { jobs }),
      },
    ]),
  ),
  'package files': { needs: ['npm', ...modules.map(name => `module ${name}`)], run: () => assemblePackage(modules) },
  'page files': { needs: ['package files'], run: buildPageOf },
  'build native-checked': buildSoon('native-checked', 'heed_tests', 'heed_cli'),
  'build native-release': build('native-release', 'heed_tests', 'heed_cli', 'heed_kernel_bench', 'heed_tokenizer_bench'),
  'build native-debug': build('native-debug', 'heed_tests', 'heed_fuzz'),
  'build native-tsan': build('native-tsan', 'heed_tests'),
  'build native-apart': build('native-apart', 'heed_tests', 'heed_cli'),
  'build native-arm': {
    needs: ['toolchain for arm'],
    run: (jobs, { 'toolchain for arm': toolchain }) => buildPreset(toolchain, 'native-arm', ['heed_kernel_check'], { jobs }),
  },
  'build wasm-simd128': build('wasm-simd128', 'heed_tests'),
  'build wasm-relaxed': build('wasm-relaxed', 'heed_tests'),
  'build wasm-memory64': build('wasm-memory64', 'heed_tests'),
})

const catch2 = preset => ({
  needs: ['toolchain', `build ${preset}`],
  run: (jobs, { toolchain }) => nativeTests(toolchain, preset, jobs),
})

const catch2InWasm = (preset, node) => ({
  needs: [node, `build ${preset}`],
  run: (jobs, values) => wasmTests(values[node], preset, jobs),
})

/** Tests in Node, of the package unless `needs` says otherwise. */
const inNode = (folder, { node = 'new node', needs = ['package files'], env, ...rest } = {}) => ({
  needs: ['npm', node, ...needs],
  run: (jobs, values, suite) => nodeTests(suite, folder, { node: values[node], env, concurrency: jobs }),
  ...rest,
})

async function startChromiumOnce(name) {
  const { startSharedChromium } = await import('../browsers/chromium.mjs') // not earlier: npm's packages may just have been installed
  return startSharedChromium(name)
}

/** The variables by which tests find the browser; the whole Chromium is `chromium` with another path. */
const browserVariables = name =>
  name === 'whole chromium' ? { HEED_BROWSER: 'chromium', HEED_CHROMIUM: findBrowser(name).chromium } : { HEED_BROWSER: name }

/**
 * Tests in a browser; Chromium is started once for all of them. Such a test may fail once (unsteady.mjs). The longest ones take
 * turns: with `parts`, `npm test` runs one part of the files, and tests/page/both (one part) each test at one of its widths.
 */
const inBrowser = (folder, name, { needs = ['package files'], apart, parts, ...rest } = {}) => ({
  needs: ['npm', 'new node', name, ...needs],
  mayFailOnce: true,
  async run(jobs, values, suite, turn) {
    if (values[name]) {
      say(`SKIPPED: ${values[name]}`)
      return { ...noTests, skipped: 1 }
    }
    const part = parts && turn !== undefined ? { turn, of: parts } : undefined
    const env = { ...browserVariables(name), ...(part ? { HEED_TURN: String(turn) } : {}) }
    const shared = env.HEED_BROWSER === 'chromium' ? await startChromiumOnce(name) : undefined
    try {
      return await nodeTests(suite, folder, {
        node: values['new node'],
        env,
        shared: shared?.env,
        concurrency: jobs,
        apart,
        part,
      })
    } finally {
      await shared?.close()
    }
  },
  parts,
  ...rest,
})

const checkedProgram = { needs: ['package files', 'build native-checked'], env: { HEED_PRESET: 'native-checked' } }

/**
 * The longest first, so that the lanes end at about the same time. None takes much longer than the others: with its share of the
 * cores, it would run on alone, as the page's tests did before they were two suites.
 */
const everyday = {
  format: { needs: ['toolchain'], run: (jobs, { toolchain }) => formatTests(toolchain) },
  lint: { needs: ['npm'], run: lintTests },
  tools: inNode('tests/tools', { needs: [] }),
  'page-both': inBrowser('tests/page/both', 'chromium', { needs: ['page files'], parts: 1 }),
  page: inBrowser('tests/page', 'chromium', { needs: ['page files'], apart: 'both', parts: 3 }),
  package: inNode('tests/package'),
  'package-chromium': inBrowser('tests/browser', 'chromium', { parts: 3 }),
  'page-views': inBrowser('tests/page-views', 'chromium', { needs: ['page files'], parts: 3 }),
  'native-checked': catch2('native-checked'),
  store: inNode('tests/store', { mayFailOnce: true }),
  chat: inNode('tests/chat', checkedProgram),
  npx: inNode('tests/npx'),
  docs: inBrowser('tests/docs', 'chromium'),
  openai: inNode('tests/openai', { needs: ['package files', 'chromium'] }),
  'ai-sdk': inNode('tests/ai-sdk'),
  create: inBrowser('tests/create', 'chromium'),
  tarball: inNode('tests/tarball'),
  'prompt-api': inNode('tests/prompt-api'),
  program: inNode('tests/cli', checkedProgram),
}

/** The same tests in the oldest Node, which runs the module without relaxed SIMD; `whole`: with all modules. */
const inOldestNode = { node: 'old node', whole: true }

const thorough = {
  real: inNode('tests/real', { ...checkedProgram, needs: [...checkedProgram.needs, 'chromium'] }),
  tidy: { needs: ['toolchain'], run: (jobs, { toolchain }) => tidyTests(toolchain, jobs) },
  'package-modules': inNode('tests/package', { whole: true, env: { HEED_RANDOM_CALLS: '10000', HEED_DAMAGED_COPIES: '100' } }),
  'package-oldest': inNode('tests/package', inOldestNode),
  'store-oldest': inNode('tests/store', { ...inOldestNode, env: { HEED_STORE_FAULTS: '200' }, mayFailOnce: true }),
  'openai-oldest': inNode('tests/openai', { ...inOldestNode, needs: ['package files', 'chromium'] }),
  'prompt-api-oldest': inNode('tests/prompt-api', inOldestNode),
  'npx-oldest': inNode('tests/npx', inOldestNode),
  'chromium-modules': inBrowser('tests/browser', 'whole chromium', { whole: true }),
  'package-firefox': inBrowser('tests/browser', 'firefox', { whole: true }),
  'package-webkit': inBrowser('tests/browser', 'webkit', { whole: true }),
  'package-webkit-next': inBrowser('tests/browser', 'webkit-next', { whole: true }),
  'page-firefox': inBrowser('tests/page/both', 'firefox', { needs: ['page files'] }),
  kills: inNode('tests/kills', { needs: ['package files', 'chromium', 'whole chromium'] }),
  'tarball-modules': inNode('tests/tarball', { whole: true }),
  release: inNode('tests/release'),
  'create-templates': inBrowser('tests/create-templates', 'chromium', { needs: ['package files', 'whole chromium'] }),
  environments: inBrowser('tests/environments', 'chromium', { needs: ['package files', 'whole chromium'], whole: true }),
  'native-debug': catch2('native-debug'),
  fuzz: { needs: ['toolchain', 'build native-debug'], run: (jobs, { toolchain }) => fuzzTests(toolchain) },
  'native-tsan': catch2('native-tsan'),
  'native-release': catch2('native-release'),
  bench: inNode('tests/bench', { needs: ['package files', 'build native-release'] }),
  'chat-oldest': inNode('tests/chat', {
    ...inOldestNode,
    env: { HEED_COSTLY_TEMPLATES: '2000' },
    needs: ['package files', 'build native-release'],
  }),
  arm: {
    needs: ['toolchain for arm', 'build native-arm'],
    run: (jobs, { 'toolchain for arm': toolchain }) => armTests(toolchain),
  },
  apart: { needs: ['build native-apart'], run: () => ({ ...noTests, passed: 1 }) }, // checks that each file includes what it uses
  constraints: inNode('tests/constraints', { needs: ['module constraints'] }),
  'wasm-simd128': catch2InWasm('wasm-simd128', 'old node'),
  'wasm-relaxed': catch2InWasm('wasm-relaxed', 'new node'),
  'wasm-memory64': catch2InWasm('wasm-memory64', 'new node'),
}

export const suites = { ...everyday, ...thorough }
export const everydaySuites = Object.keys(everyday)
export const thoroughSuites = [...Object.keys(thorough), ...everydaySuites.filter(name => everyday[name].parts)]

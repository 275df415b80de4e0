// Helpers of the environment tests: projects, the story that all of them generate, and a browser to read it in.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { Unavailable } from '../../tools/environments/install.mjs'
import { openProject } from '../../tools/environments/project.mjs'
import { serve } from '../../tools/serve.mjs'

const all = process.env.HEED_ENVIRONMENTS === 'all'
const storySeconds = 60

/** Why the tests of the longer half are skipped, unless HEED_ENVIRONMENTS=all. */
const inLongRunsOnly = !all && 'npm run test:environments runs it'

/** The story that every example generates, as generated in this Node. */
let story
export async function expectedStory() {
  if (!story) {
    const model = await loadModel()
    story = (await model.chat([{ role: 'user', content: 'Write a story about a fox and a lantern.' }], { seed: 7 })).message.content
    await model.dispose()
  }
  return story
}

/**
 * Defines a test of a project; `options` are openProject's. `quick`: the test is in the quick half. It is skipped if
 * something that it needs is unavailable.
 */
export function environment(name, { quick = false, install = name, ...options }, body) {
  test(name, { skip: quick ? false : inLongRunsOnly, timeout: 1_800_000 }, async t => {
    let project
    try {
      project = await openProject(install, options)
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      console.log(`SKIPPED: ${name}: ${error.message}`)
      return t.skip(error.message)
    }
    try {
      await body(project)
    } finally {
      await project.close()
    }
  })
}

/** Starts Chromium for the tests of a file. */
export function useChromium() {
  let browser
  before(async () => {
    browser = await startChromium()
  })
  after(() => browser?.close())

  /** Opens a URL and waits for the page to show the whole story; resolves to {story, threads, isolated, cores, problems}. */
  async function read(url) {
    await expectedStory()
    const page = await browser.open(url)
    try {
      const deadline = performance.now() + storySeconds * 1000
      for (;;) {
        const seen = await page
          .evaluate(() => ({
            story: document.querySelector('#story')?.textContent ?? '',
            threads: Number(document.querySelector('#threads')?.textContent),
            isolated: crossOriginIsolated,
            cores: navigator.hardwareConcurrency,
          }))
          .catch(error => ({ story: '', error: error.message })) // the page is navigating
        if (seen.story === story) return { ...seen, problems: page.problems }
        const problems = page.problems.join('\n')
        if (problems) throw new Error(`${url}: the page reports\n${problems}`)
        if (performance.now() > deadline) {
          throw new Error(`${url}: waited ${storySeconds} s for the story; the page has ${JSON.stringify(seen)}`)
        }
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    } finally {
      await page.close()
    }
  }

  /** Checks that the page at a URL shows the story, without errors, on as many threads as possible. */
  async function tellsStory(url, { isolated = true } = {}) {
    const seen = await read(url)
    assert.equal(seen.isolated, isolated, `${url} is ${isolated ? 'not ' : ''}isolated`)
    assert.equal(seen.threads, isolated ? Math.min(8, seen.cores) : 1, `threads at ${url}`)
    assert.deepEqual(seen.problems, [])
  }

  /** Checks that a built folder works on static hosts with and without the isolation headers. */
  async function worksOnStaticHosts(folder) {
    for (const isolated of [true, false]) {
      const host = await serve(folder, { isolated })
      try {
        await tellsStory(host.url, { isolated })
      } finally {
        await host.close()
      }
    }
  }

  return { read, tellsStory, worksOnStaticHosts }
}

/** Checks that a tool printed no warnings, except npm's, which are about this machine's settings. */
export function assertNoWarnings(output) {
  const lines = output.split('\n').filter(line => !/^npm warn/i.test(line))
  assert.deepEqual(
    lines.filter(line => /warn|deprecat/i.test(line)),
    [],
  )
}

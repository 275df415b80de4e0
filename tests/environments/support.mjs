// What the tests of environments share: projects, the story that all of them tell, and a browser to read it in.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { Unavailable } from '../../tools/environments/install.mjs'
import { openProject } from '../../tools/environments/project.mjs'
import { serve } from '../../tools/serve.mjs'

const all = process.env.HEED_ENVIRONMENTS === 'all'
const storySeconds = 60

/** A test of the longer half is skipped, and counted, unless all are asked for. */
const inLongRunsOnly = !all && 'npm run test:environments runs it'

/** The story that every example tells, as this Node tells it. */
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
 * A test with a project: `options` are openProject's, and `quick` where it belongs to the quick half. Skipped
 * where what it needs cannot be had.
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

/** Chromium around the tests of a file. */
export function useChromium() {
  let browser
  before(async () => { browser = await startChromium() })
  after(() => browser?.close())

  /** Opens an address and reads the page until it has told the whole story: {story, threads, isolated, cores, problems}. */
  async function read(url) {
    await expectedStory()
    const page = await browser.open(url)
    try {
      const deadline = performance.now() + storySeconds * 1000
      for (;;) {
        const seen = await page.evaluate(() => ({
          story: document.querySelector('#story')?.textContent ?? '',
          threads: Number(document.querySelector('#threads')?.textContent),
          isolated: crossOriginIsolated,
          cores: navigator.hardwareConcurrency,
        })).catch(error => ({ story: '', error: error.message }))   // the page navigates
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

  /** That the page at an address tells the story, without a problem, on as many threads as it may have. */
  async function tellsStory(url, { isolated = true } = {}) {
    const seen = await read(url)
    assert.equal(seen.isolated, isolated, `${url} is ${isolated ? 'not ' : ''}isolated`)
    assert.equal(seen.threads, isolated ? Math.min(8, seen.cores) : 1, `threads at ${url}`)
    assert.deepEqual(seen.problems, [])
  }

  /** That a built folder works on a static host with the headers, and on one without. */
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

/** That a tool printed no warning. npm's own, about its settings on this machine, are nobody's business. */
export function assertNoWarnings(output) {
  const lines = output.split('\n').filter(line => !/^npm warn/i.test(line))
  assert.deepEqual(lines.filter(line => /warn|deprecat/i.test(line)), [])
}

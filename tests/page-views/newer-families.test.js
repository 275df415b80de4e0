// The newer architectures on the page, each as a tiny random model: it loads, shows attention or gates, goes on after a save as before,
// and writes. What it computes is held to references by tests/package/oracle.test.js.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newerFamilies, newerFamily } from '../support/newer_families.mjs'
import { assertCalm, choose, openPage, prepared, sample, visitPage, write } from '../page/page.mjs'

const { browser, site } = await visitPage({ viewport: { width: 1280, height: 1000 } })

/** Runs in the page: what is shown of its model, what its gates are, and how a session and its saved copy go on. */
async function look() {
  const { model, attention } = globalThis.heed
  const { generates, layers, recurrentLayers } = model.info
  const { rows, columns, layer } = attention
  const read = {
    generates,
    layers,
    recurrentLayers,
    layer,
    rows,
    /** Of each head, the sum of each row. */
    sums: attention.heads.map(head =>
      Array.from({ length: rows }, (_, row) =>
        head.slice(row * columns, (row + 1) * columns).reduce((sum, weight) => sum + weight, 0),
      ),
    ),
    gates: recurrentLayers.length > 0 ? (await model.gates('the hen')).decay.map(heads => heads.flatMap(head => [...head])) : [],
    written: [],
  }
  if (!generates) return read
  const session = await model.session()
  await session.append('the hen and the fox')
  const again = await model.restore(await session.save())
  for (const one of [session, again]) {
    const { tokens } = await one.generate(' the', { maxTokens: 8, temperature: 0, stopAtEnd: false })
    read.written.push(tokens.map(token => token.id))
    await one.dispose()
  }
  return read
}

const opened = prepared(async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { maxTokens: '6', seed: '8' }) // by which no text begins with its end
  return page
})
const counted = { attending: 0, recurrent: 0, encoding: 0 }

for (const name of newerFamilies) {
  test(`${name} loads, shows what it attends to or forgets, goes on after a save, and writes`, async () => {
    const page = await opened()
    await choose(page, name, newerFamily(name))
    const { generates, layers, recurrentLayers, layer, rows, sums, gates, written } = await page.evaluate(look)
    assert.equal(gates.length, recurrentLayers.length)
    assert.ok(gates.flat().every(decay => decay > 0 && decay < 1))
    if (recurrentLayers.length < layers) {
      counted.attending++
      assert.ok(!recurrentLayers.includes(layer) && rows > 1)
      const attends = sums.filter(head => head.some(sum => sum > 0)) // a layer of DeciLM may have fewer heads than the model
      assert.ok(attends.length > 0 && (attends.length === sums.length || name === 'deci'))
      assert.ok(attends.flat().every(sum => sum > 0 && sum < 1 + 1e-5))
    }
    if (recurrentLayers.length > 0) {
      counted.recurrent++
      await page.fill('#layer', `${recurrentLayers[0]}`)
      await page.waitForFunction(wanted => heed.attention.layer === wanted, recurrentLayers[0])
      await page.locator('#gates').waitFor()
    }
    if (generates) {
      assert.equal(written[0].length, 8)
      assert.deepEqual(written[1], written[0], 'a restored session goes on as the saved one')
      await write(page, 'the fox')
      assert.ok(await page.evaluate(() => heed.passage.written.length > 0))
    } else counted.encoding++
    assertCalm(page)
  })
}

test('most of them attend, some have recurrent layers, and some encode', async context => {
  await (await opened()).close()
  context.diagnostic(JSON.stringify(counted))
  assert.ok(counted.attending > 55 && counted.recurrent > 6 && counted.encoding > 4)
})

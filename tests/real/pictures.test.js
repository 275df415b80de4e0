// Foreign images in Node: the test suites of Go's image packages, including libpng's and odd JPEG files, figures of documentation,
// photographs. Chromium decodes them, too, to the same pixels, bit for bit, or rejects the same files.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { HeedError } from 'heed'
import { inRoot } from '../../tools/paths.mjs'
import { useBrowser } from '../browser/support.mjs'
import { fromDebian, realTest } from './shelf.mjs'

const { decodeImageFile } = await import(inRoot('dist/images.node.js'))
const { sites, inPage } = useBrowser()

const picturesIn = folder =>
  readdirSync(folder, { recursive: true })
    .map(name => join(folder, name))
    .filter(path => /\.(png|jpe?g)$/i.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile())
    .sort()

const hashOf = data => createHash('sha256').update(data).digest('hex')

/** Of each file { width, height, hash }, or undefined if it is refused. */
async function inNode(path) {
  try {
    const { width, height, data } = await decodeImageFile(readFileSync(path))
    return { width, height, hash: hashOf(data) }
  } catch (error) {
    assert.ok(error instanceof HeedError, `${path}: ${error.stack}`)
    return undefined
  }
}

const inChromium = paths =>
  inPage(
    sites.open,
    async files => {
      const all = []
      for (const file of files) {
        try {
          const { width, height, data } = await heed.decodeImage(
            new Blob([Uint8Array.from(atob(file), character => character.charCodeAt(0))]),
          )
          const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data))
          all.push({ width, height, hash: Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('') })
        } catch {
          all.push(null)
        }
      }
      return all
    },
    paths.map(path => readFileSync(path).toString('base64')),
  )

/** Files for which libjpeg guesses missing data: Chromium smooths the blocks of a progressive file that ends early. */
const smoothed = /progressive\.truncated\.jpeg$/

async function sameAsChromium(paths) {
  let refused = 0
  for (let first = 0; first < paths.length; first += 40) {
    const some = paths.slice(first, first + 40)
    const theirs = await inChromium(some)
    for (const [index, path] of some.entries()) {
      const ours = await inNode(path)
      if (!ours) refused++
      if (smoothed.test(path)) assert.equal(ours?.width, theirs[index].width, path)
      else assert.deepEqual(ours ?? null, theirs[index], path)
    }
  }
  return refused
}

realTest(
  'the test pictures of Go, with those of libpng',
  () => fromDebian('golang-1.26-src', 'golang-golang-x-image-dev'),
  async folders => {
    const paths = Object.values(folders).flatMap(picturesIn)
    assert.ok(paths.length > 100, `${paths.length}`)
    const names = paths.join('\n')
    for (const kind of ['cmyk.jpeg', '221212.jpeg', 'q50.410.', 'q50.440.', 'restart2', 'progressive', 'basn6a16', 'interlace'])
      assert.ok(names.includes(kind), kind)
    const refused = await sameAsChromium(paths)
    assert.ok(refused > 0 && refused <= 4, `${refused}: files that Go's tests call invalid`)
  },
)

realTest(
  'figures and photographs of documentation',
  () => fromDebian('imagemagick-7-doc', 'python3-skimage'),
  async folders => {
    const paths = Object.values(folders)
      .flatMap(picturesIn)
      .filter((_, index) => index % 3 === 0)
    assert.ok(paths.length > 80, `${paths.length}`)
    assert.equal(await sameAsChromium(paths), 0)
  },
)

realTest(
  'desktop backgrounds, the largest of which is far from the limit',
  () => fromDebian('mate-backgrounds'),
  async folders => {
    const paths = picturesIn(folders['mate-backgrounds'])
      .sort((one, other) => statSync(other).size - statSync(one).size)
      .slice(0, 1)
    for (const path of paths) assert.equal(await sameAsChromium([path]), 0, path)
    const { width, height } = await decodeImageFile(readFileSync(paths[0]))
    assert.ok(width * height > 16e6 && width * height < 2 ** 27 / 4, `${width} x ${height}`)
  },
)

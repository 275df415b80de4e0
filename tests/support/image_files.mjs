// Image files: PNG files of every kind, and JPEG files (jpeg/README.md), with the pixels that they contain.
import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import { inRoot } from '../../tools/paths.mjs'

const uint32 = value => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]

/** A chunk of a PNG file. */
export function chunk(type, body = []) {
  const content = Buffer.from([...Buffer.from(type), ...body])
  return Buffer.from([...uint32(body.length), ...content, ...uint32(crc32(content))])
}

/** The chunks of a PNG file as a file. */
export const pngOf = (...chunks) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])

export const header = ({ width, height, depth, color, interlaced = false }) =>
  chunk('IHDR', [...uint32(width), ...uint32(height), depth, color, 0, 0, Number(interlaced)])

const samplesOf = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
]

/** The value that a filter subtracts from a byte, by the bytes to the left, above, and above to the left. */
const predictions = [
  () => 0,
  left => left,
  (_, up) => up,
  (left, up) => Math.floor((left + up) / 2),
  (left, up, corner) =>
    [left, up, corner].reduce((best, one) => {
      const distance = value => Math.abs(left + up - corner - value)
      return distance(one) < distance(best) ? one : best
    }),
]

/** Rows of samples, packed, each after a filter's number; the filters take turns. */
function filtered(rows, depth, samples) {
  const near = Math.max(1, (samples * depth) / 8)
  const packed = rows.map(row => {
    const bits = row.map(value => value.toString(2).padStart(depth, '0')).join('')
    return bits.match(/.{1,8}/g).map(byte => Number.parseInt(byte.padEnd(8, '0'), 2))
  })
  return packed.flatMap((row, y) => {
    const filter = y % 5
    const at = (row, x) => (x < 0 ? 0 : (row?.[x] ?? 0))
    return [
      filter,
      ...row.map(
        (byte, x) => (byte - predictions[filter](at(row, x - near), at(packed[y - 1], x), at(packed[y - 1], x - near))) & 255,
      ),
    ]
  })
}

/** A PNG file; `sample(x, y, part)` gives its samples, `extra` are chunks before the pixels. */
export function pngFile({ width, height, depth, color, interlaced = false, sample, extra = [] }) {
  const samples = samplesOf[color]
  const passes = interlaced ? adam7 : [[0, 0, 1, 1]]
  const data = passes.flatMap(([left, top, right, down]) => {
    const rows = []
    for (let y = top; y < height; y += down) {
      const row = []
      for (let x = left; x < width; x += right) for (let part = 0; part < samples; part++) row.push(sample(x, y, part))
      if (row.length > 0) rows.push(row)
    }
    return filtered(rows, depth, samples)
  })
  const compressed = deflateSync(Buffer.from(data))
  const half = compressed.length >> 1 // in two chunks, as in large files
  return pngOf(
    header({ width, height, depth, color, interlaced }),
    ...extra,
    chunk('IDAT', compressed.subarray(0, half)),
    chunk('IDAT', compressed.subarray(half)),
    chunk('IEND'),
  )
}

/** A PNG file of these pixels. */
export const pngFrom = ({ width, height, data }) =>
  pngFile({ width, height, depth: 8, color: 6, sample: (x, y, part) => data[(y * width + x) * 4 + part] })

/** A PNG file of each kind, by name, with its pixels: { file, pixels }. */
export function everyPng(width = 13, height = 11) {
  const made = {}
  for (const [color, depths] of Object.entries({ 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] })) {
    for (const depth of depths) {
      for (const interlaced of [false, true]) {
        const most = 2 ** depth - 1
        const colors = Math.min(most + 1, 200)
        const sample = (x, y, part) => (x * 7919 + y * 104_729 + part * 31_337) % (color === '3' ? colors : most + 1)
        const byte = value => (depth === 16 ? value >> 8 : (value * 255) / most)
        const palette = Array.from({ length: colors }, (_, index) => [(index * 37) % 256, (index * 59) % 256, 255 - index])
        const pixel = {
          0: (x, y) => [0, 0, 0].map(() => byte(sample(x, y, 0))).concat(255),
          2: (x, y) => [0, 1, 2].map(part => byte(sample(x, y, part))).concat(255),
          3: (x, y) => [...palette[sample(x, y, 0)], 255],
          4: (x, y) => [0, 0, 0, 1].map(part => byte(sample(x, y, part))),
          6: (x, y) => [0, 1, 2, 3].map(part => byte(sample(x, y, part))),
        }[color]
        const data = Array.from({ length: width * height }, (_, at) => pixel(at % width, Math.floor(at / width))).flat()
        made[`color ${color} of ${depth} bits${interlaced ? ', interlaced' : ''}`] = {
          file: pngFile({
            width,
            height,
            depth,
            color: Number(color),
            interlaced,
            sample,
            extra: color === '3' ? [chunk('PLTE', palette.flat())] : [],
          }),
          pixels: { width, height, data: Uint8Array.from(data) },
        }
      }
    }
  }
  return made
}

export const jpegNames = ['baseline', 'progressive', 'gray', 'restarts', 'rgb']
export const jpegFile = name => readFileSync(inRoot(`tests/support/jpeg/${name}.jpg`))

/** The pixels of a JPEG file, as djpeg reads them. */
export function jpegPixels(name) {
  const [width, height] = [37, 27]
  const samples = readFileSync(inRoot(`tests/support/jpeg/${name}.rgb`))
  const parts = samples.length / (width * height)
  const data = Uint8Array.from({ length: width * height * 4 }, (_, at) =>
    at % 4 === 3 ? 255 : samples[Math.floor(at / 4) * parts + (parts === 1 ? 0 : at % 4)],
  )
  return { width, height, data }
}

const segment = (marker, body) => Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255, ...body])
const adobe = transform => segment(0xee, [...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform])
const jfif = () => segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0])

/**
 * A sequential JPEG file of one value for each block: `components` are [identifier, across, down], sampling factors; `level(color, x, y)`
 * gives the value from 0 to 255, `markers` are segments before the image, `interval` is that of restarts.
 */
export function jpegOf({ width, height, components, level, markers = [], interval = 0, inTurn = false }) {
  const [across, down] = [1, 2].map(part => Math.max(...components.map(component => component[part])))
  const scan = chosen => {
    let bits = ''
    const before = [0, 0, 0, 0]
    const data = []
    const flush = () => {
      for (const byte of bits.padEnd(Math.ceil(bits.length / 8) * 8, '1').match(/.{8}/g) ?? []) {
        data.push(Number.parseInt(byte, 2), ...(byte === '11111111' ? [0] : []))
      }
      bits = ''
    }
    const block = (color, x, y) => {
      const value = level(color, x, y) - 128
      const difference = value - before[color]
      before[color] = value
      const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1
      const number = difference < 0 ? difference + 2 ** size - 1 : difference
      bits += size.toString(2).padStart(4, '0') + (size > 0 ? number.toString(2).padStart(size, '0') : '') + '0'
    }
    const alone = chosen.length === 1
    const [, wide, high] = alone ? components[chosen[0]] : [0, across, down]
    const columns = alone ? Math.ceil(Math.ceil((width * wide) / across) / 8) : Math.ceil(width / 8 / across)
    const rows = alone ? Math.ceil(Math.ceil((height * high) / down) / 8) : Math.ceil(height / 8 / down)
    for (let unit = 0; unit < columns * rows; unit++) {
      if (interval > 0 && unit > 0 && unit % interval === 0) {
        flush()
        data.push(0xff, 0xd0 + ((unit / interval - 1) % 8))
        before.fill(0)
      }
      const [x, y] = [unit % columns, Math.floor(unit / columns)]
      for (const color of chosen) {
        const [, h, v] = alone ? [0, 1, 1] : components[color]
        for (let row = 0; row < v; row++) for (let column = 0; column < h; column++) block(color, x * h + column, y * v + row)
      }
    }
    flush()
    return Buffer.concat([
      segment(0xda, [chosen.length, ...chosen.flatMap(color => [components[color][0], 0]), 0, 63, 0]),
      Buffer.from(data),
    ])
  }
  const all = components.map((_, index) => index)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...markers,
    segment(0xdb, [0, ...Array(64).fill(8)]),
    segment(0xc0, [
      8,
      height >> 8,
      height & 255,
      width >> 8,
      width & 255,
      components.length,
      ...components.flatMap(([id, h, v]) => [id, (h << 4) | v, 0]),
    ]),
    segment(0xc4, [0, 0, 0, 0, 12, ...Array(12).fill(0), ...Array(12).keys()]), // sizes from 0 to 11, each of four bits
    segment(0xc4, [0x10, 1, ...Array(15).fill(0), 0]), // the end of a block
    ...(interval > 0 ? [segment(0xdd, [interval >> 8, interval & 255])] : []),
    ...(inTurn ? all.map(color => scan([color])) : [scan(all)]),
    Buffer.from([0xff, 0xd9]),
  ])
}

const noise = (color, x, y) => (color * 83 + x * 7919 + y * 104_729 + x * y * 31) % 256
const ofIds = (...ids) => ids.map(id => [id, 1, 1])
const sampled = (...factors) => factors.map(([h, v], index) => [index + 1, h, v])

/** JPEG files with colors declared in every way or not declared, and sampled in every way. Browsers decode all of them. */
export function oddJpegs() {
  const made = options => jpegOf({ width: 37, height: 27, level: noise, ...options })
  const rgb = [...Buffer.from('RGB')]
  const files = {
    gray: made({ components: ofIds(1) }),
    'gray, sampled 2 x 2': made({ components: [[1, 2, 2]] }),
    'three colors': made({ components: ofIds(1, 2, 3) }),
    'three colors, odd identifiers': made({ components: ofIds(0, 1, 2) }),
    'RGB by identifiers': made({ components: ofIds(...rgb) }),
    'RGB by identifiers, with JFIF': made({ components: ofIds(...rgb), markers: [jfif()] }),
    'RGB by Adobe': made({ components: ofIds(1, 2, 3), markers: [adobe(0)] }),
    'YCC by Adobe': made({ components: ofIds(...rgb), markers: [adobe(1)] }),
    'JFIF before Adobe': made({ components: ofIds(1, 2, 3), markers: [jfif(), adobe(0)] }),
    'CMYK without a marker': made({ components: ofIds(1, 2, 3, 4) }),
    'CMYK by identifiers': made({ components: ofIds(...Buffer.from('CMYK')) }),
    'CMYK with JFIF': made({ components: ofIds(1, 2, 3, 4), markers: [jfif()] }),
    'CMYK by Adobe': made({ components: ofIds(1, 2, 3, 4), markers: [adobe(0)] }),
    'YCCK by Adobe': made({ components: ofIds(1, 2, 3, 4), markers: [adobe(2)] }),
    'YCCK, sampled': made({ components: sampled([2, 2], [1, 1], [1, 1], [2, 2]), markers: [adobe(2)] }),
    'scans in turn': made({ components: sampled([2, 2], [1, 1], [1, 1]), inTurn: true }),
    restarts: made({ components: sampled([2, 1], [1, 1], [1, 1]), interval: 2 }),
    'restarts of scans in turn': made({ components: sampled([2, 1], [1, 1], [1, 1]), interval: 3, inTurn: true }),
    'more after the end': Buffer.concat([made({ components: ofIds(1) }), Buffer.from('more')]),
    'orientation 6 and CMYK': oriented(made({ components: ofIds(1, 2, 3, 4) }), 6),
  }
  const factors = [
    [
      [2, 1],
      [1, 1],
      [1, 1],
    ],
    [
      [1, 2],
      [1, 1],
      [1, 1],
    ],
    [
      [2, 2],
      [1, 1],
      [1, 1],
    ],
    [
      [4, 1],
      [1, 1],
      [1, 1],
    ],
    [
      [1, 4],
      [1, 1],
      [1, 1],
    ],
    [
      [4, 2],
      [1, 1],
      [1, 1],
    ],
    [
      [2, 2],
      [2, 1],
      [2, 1],
    ],
    [
      [2, 2],
      [1, 2],
      [1, 2],
    ],
    [
      [2, 2],
      [2, 1],
      [1, 2],
    ],
    [
      [1, 1],
      [2, 2],
      [1, 1],
    ],
    [
      [2, 1],
      [2, 1],
      [2, 1],
    ],
    [
      [1, 2],
      [1, 2],
      [1, 2],
    ],
  ]
  for (const one of factors) {
    files[`sampled ${one.map(pair => pair.join('x')).join(', ')}`] = made({ components: sampled(...one) })
    for (const [width, height] of [
      [1, 1],
      [3, 5],
      [5, 3],
      [17, 1],
    ]) {
      files[`${width} x ${height}, sampled ${one.join(' ')}`] = made({ width, height, components: sampled(...one) })
    }
  }
  return files
}

/** Unusual PNG files that browsers decode: with other contents besides the image, or with deviations from the standard. */
export function oddPngs() {
  const small = { width: 3, height: 4, depth: 8, color: 2, sample: (x, y, part) => x * 50 + y * 9 + part * 7 }
  const rows = Buffer.concat(
    Array.from({ length: 4 }, (_, y) => Buffer.from([0, ...Array.from({ length: 9 }, (_, at) => at * 20 + y)])),
  )
  const data = deflateSync(rows)
  const made = (...chunks) => pngOf(header(small), ...chunks)
  const exif = tiffOf(6)
  const withChunks = (...extra) => pngFile({ ...small, extra })
  const palette = (chunks, sample = x => x) => pngFile({ width: 4, height: 1, depth: 8, color: 3, sample, extra: chunks })
  return {
    'more data than pixels': made(chunk('IDAT', deflateSync(Buffer.concat([rows, Buffer.alloc(50_000, 3)]))), chunk('IEND')),
    'a wrong checksum of the data': made(chunk('IDAT', Buffer.concat([data.subarray(0, -4), Buffer.from('sums')])), chunk('IEND')),
    'no checksum of the data': made(chunk('IDAT', data.subarray(0, -4)), chunk('IEND')),
    'a chunk for each byte': made(...Array.from(data, byte => chunk('IDAT', [byte])), chunk('IEND')),
    'an empty chunk of data': made(chunk('IDAT'), chunk('IDAT', data), chunk('IEND')),
    'more after the end': Buffer.concat([made(chunk('IDAT', data), chunk('IEND')), Buffer.from('more')]),
    'an end without its checksum': made(chunk('IDAT', data), chunk('IEND')).subarray(0, -4),
    'a note with a wrong checksum': made(
      Buffer.concat([chunk('tEXt', Buffer.from('a\0b')).subarray(0, -1), Buffer.from([7])]),
      chunk('IDAT', data),
      chunk('IEND'),
    ),
    'a palette beside RGB': withChunks(chunk('PLTE', [1, 2, 3])),
    'a palette that is too short': palette([chunk('PLTE', [1, 2, 3, 4, 5, 6])]),
    'a palette with a part of a color': palette([chunk('PLTE', [1, 2, 3, 4])], () => 0),
    'more opacities than colors': palette([chunk('PLTE', [1, 2, 3]), chunk('tRNS', [100, 3, 4])], () => 0),
    'opacities before the palette': palette([chunk('tRNS', [100]), chunk('PLTE', [1, 2, 3])], () => 0),
    'opacities beside those of the pixels': pngFile({ ...small, color: 6, extra: [chunk('tRNS', [0, 50, 0, 57, 0, 64])] }),
    'a transparent color that is cut off': withChunks(chunk('tRNS', [0, 50])),
    'a transparent color': withChunks(chunk('tRNS', [0, 59, 0, 66, 0, 73])),
    'a transparent gray': pngFile({ width: 4, height: 1, depth: 2, color: 0, sample: x => x, extra: [chunk('tRNS', [0, 2])] }),
    'a transparent gray of too many bits': pngFile({
      width: 4,
      height: 1,
      depth: 2,
      color: 0,
      sample: x => x,
      extra: [chunk('tRNS', [0, 6])],
    }),
    'a transparent gray of 16 bits': pngFile({
      width: 4,
      height: 1,
      depth: 16,
      color: 0,
      sample: x => 512 + x,
      extra: [chunk('tRNS', [2, 1])],
    }),
    'an orientation': withChunks(chunk('eXIf', exif)),
    'an orientation, interlaced': pngFile({ ...small, interlaced: true, extra: [chunk('eXIf', tiffOf(5, false))] }),
    'an orientation after the image': made(chunk('IDAT', data), chunk('eXIf', exif), chunk('IEND')),
    'an orientation of no kind': withChunks(chunk('eXIf', tiffOf(9))),
    'Exif that is cut off': withChunks(chunk('eXIf', exif.slice(0, 12))),
    gamma: withChunks(chunk('gAMA', [0, 1, 0x86, 0xa0])),
    sRGB: withChunks(chunk('sRGB', [0])),
    'a color space': withChunks(chunk('cICP', [9, 16, 0, 1])),
    'an animation': made(
      chunk('acTL', [0, 0, 0, 2, 0, 0, 0, 0]),
      frameOf(0),
      chunk('IDAT', data),
      frameOf(1),
      chunk('fdAT', [0, 0, 0, 2, ...deflateSync(Buffer.alloc(40, 0))]),
      chunk('IEND'),
    ),
  }
}

/** A frame of an animation of 3 x 4 pixels. */
const frameOf = number => chunk('fcTL', [...uint32(number), ...uint32(3), ...uint32(4), ...Array(8).fill(0), 0, 1, 0, 10, 0, 0])

/** Every opacity with 256 shades of each color. */
export function everyOpacity() {
  const data = Uint8Array.from({ length: 256 * 256 * 4 }, (_, at) => {
    const [x, y] = [(at >> 2) & 255, at >> 10]
    return [y, 255 - y, (y * 7) & 255, x][at & 3]
  })
  return pngFrom({ width: 256, height: 256, data })
}

/** Exif with a note of how the camera was held, from 1 to 8. */
function tiffOf(orientation, little = true) {
  const order = bytes => (little ? bytes : bytes.toReversed())
  return [
    ...Buffer.from(little ? 'II' : 'MM'),
    ...order([42, 0]),
    ...order([8, 0, 0, 0]),
    ...order([1, 0]),
    ...order([0x12, 1]),
    ...order([3, 0]),
    ...order([1, 0, 0, 0]),
    ...order([orientation, 0]),
    0,
    0,
    0,
    0,
    0,
    0,
  ]
}

/** A JPEG file with a note of how the camera was held, from 1 to 8, as little- or big-endian Exif. */
export const oriented = (file, orientation, little = true) =>
  Buffer.concat([
    file.subarray(0, 2),
    segment(0xe1, [...Buffer.from('Exif\0\0'), ...tiffOf(orientation, little)]),
    file.subarray(2),
  ])

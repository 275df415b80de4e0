#!/bin/sh
# Two decoders of JPEG files give pixels that differ by dozens of levels, for one valid file, and both are right.
#
# Guessed: the standard (ITU-T T.81) leaves a decoder the rounding of the cosine transform, so pixels differ by 1 or 2 levels.
# Seen, with jpeg-js 0.4.4 and MozJPEG's libjpeg in @jsquash/jpeg 1.6.0, Node 24: that holds for colors stored at full resolution (4:4:4).
# But photographs store colors at half the resolution (4:2:0), and the standard does not say how they are enlarged: libjpeg, which browsers
# and Pillow use, interpolates ("fancy upsampling"), jpeg-js repeats. At the borders of red and blue stripes, that is:
#
#     colors 4:4:4: differ by 2 at most
#     colors 4:2:0: differ by 54 at most
#
# So what a vision model reads of a file in Node depends on the decoder, and is not what it was trained on if that repeats colors.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund jpeg-js@0.4.4 @jsquash/jpeg@1.6.0
cat > compare.mjs <<'END'
import { readFileSync } from 'node:fs'
import jpeg from 'jpeg-js'
import decode, { init as initDecoder } from '@jsquash/jpeg/decode.js'
import encode, { init as initEncoder } from '@jsquash/jpeg/encode.js'

globalThis.ImageData ??= class { constructor(data, width, height) { Object.assign(this, { data, width, height }) } }
const wasm = part => WebAssembly.compile(readFileSync(`node_modules/@jsquash/jpeg/codec/${part}.wasm`))
await initDecoder(await wasm('dec/mozjpeg_dec'))
await initEncoder(await wasm('enc/mozjpeg_enc'))

const side = 48
const stripes = new Uint8ClampedArray(side * side * 4)
for (let at = 0; at < side * side; at++) stripes.set(Math.floor(at % side / 3) % 2 === 0 ? [220, 40, 40, 255] : [40, 40, 220, 255], at * 4)

const differs = async chroma => {
  const file = await encode(new ImageData(stripes, side, side), { quality: 90, auto_subsample: false, chroma_subsample: chroma })
  const one = jpeg.decode(new Uint8Array(file), { useTArray: true }).data
  const { data: other } = await decode(file)
  return one.reduce((most, value, at) => Math.max(most, Math.abs(value - other[at])), 0)
}
const [full, half] = [await differs(1), await differs(2)]
console.log(`colors 4:4:4: differ by ${full} at most\ncolors 4:2:0: differ by ${half} at most`)
process.exit(full <= 3 && half >= 20 ? 0 : 1)
END
node compare.mjs

#!/bin/sh
# apache-arrow stores some numbers as half of what they are, where an embedding is kept as float16.
#
# Guessed: a half has 11 significant bits, so what comes back is off by 1 part in 2048 at most, and is infinite where it was too large.
# Seen, with apache-arrow 21.2.0 (JavaScript), Node 20, for vectorFromArray(numbers, new Float16()), with the nearest half behind it:
#
#     1.9998 comes back as 1 (2)
#     0.49999 comes back as 0.25 (0.5)
#     0.12499 comes back as 0.0625 (0.125)
#     0.99999 comes back as 1 (1)
#     70000 comes back as 2.134765625 (Infinity)
#     of 1000000 numbers between -1 and 1, so many are half as large: 163
#
# Rounding up to the next power of two carries into the exponent. float64ToUint16 joins the two with an OR, in which a carry is lost where
# the exponent's lowest bit is set already, so below every other power of two: about each sixth embedding of 1024 numbers has one, which no
# test with round numbers shows.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund apache-arrow@21.2.0
cat > halves.js <<'END'
import { Float16, vectorFromArray } from 'apache-arrow'

const stored = numbers => [...vectorFromArray(numbers, new Float16())]
const cases = [[1.9998, 1, 2], [0.49999, 0.25, 0.5], [0.12499, 0.0625, 0.125], [0.99999, 1, 1], [70000, 2.134765625, Infinity]]
const seen = stored(cases.map(([number]) => number))
for (const [at, [number, , nearest]] of cases.entries()) console.log(`${number} comes back as ${seen[at]} (${nearest})`)

const numbers = Array.from({ length: 1e6 }, (_, at) => (((at + 1) * 0.6180339887498949) % 1) * 2 - 1)
const halved = stored(numbers).filter((value, at) => Math.abs(value / numbers[at] - 0.5) < 0.01).length
console.log(`of ${numbers.length} numbers between -1 and 1, so many are half as large: ${halved}`)
process.exit(cases.every(([, value], at) => seen[at] === value) && halved > 100 && halved < 300 ? 0 : 1)
END
node halves.js

#!/bin/sh
# A schema of arktype with a Date converts to JSON Schema in two ways, of which one says nothing.
#
# arktype 2.2.10 implements the Standard JSON Schema of https://standardschema.dev (~standard.jsonSchema.input) and has toJsonSchema() of
# its own. Of type({ at: 'Date' }), toJsonSchema() throws, since JSON has no dates; the standard's way returns
# {"properties":{"at":{}}}: any value, without a word. Zod 4.6.7 and @valibot/to-json-schema 1.8.0 throw in the standard's way. So whoever
# takes the standard, as it is meant, lets a model write anything for a Date of arktype, and learns of it from no error.
# Seen: "toJsonSchema: throws", "standard: {"at":{}}", "zod: throws", "valibot: throws".
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund arktype@2.2.10 zod@4.6.7 valibot@1.5.0 @valibot/to-json-schema@1.8.0
cat > seen.js <<'JS'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
const attempt = convert => {
  try {
    return JSON.stringify(convert().properties)
  } catch {
    return 'throws'
  }
}
const standard = schema => () => schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
const dated = type({ at: 'Date' })
console.log(`toJsonSchema: ${attempt(() => dated.toJsonSchema())}`)
console.log(`standard: ${attempt(standard(dated))}`)
console.log(`zod: ${attempt(standard(z.object({ at: z.date() })))}`)
console.log(`valibot: ${attempt(standard(toStandardJsonSchema(v.object({ at: v.date() }))))}`)
JS
node seen.js > seen.txt
cat seen.txt
diff seen.txt - <<'TXT'
toJsonSchema: throws
standard: {"at":{}}
zod: throws
valibot: throws
TXT

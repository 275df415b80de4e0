// Everything that we wrote has American spelling. Texts that models are trained on or asked are exempt, because people write both.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { filesIn } from '../../tools/style/files.mjs'

const british = new RegExp(
  String.raw`\b(?:${[
    '(?:col|behavi|fav|hon|neighb|flav|lab|harb|rum)our(?:s|ed|ing|able|ite|al|ly|less)?',
    '(?:cent|met|lit|fib|theat)re[sd]?',
    'grey(?:s|ed|ish)?',
    'licences?',
    'defences?',
    'judgements?',
    'artefacts?',
    'whilst',
    '(?:ana|dia)logues?',
    'programmes?',
    '(?:travel|model|label|cancel|signal|total|level)l(?:ed|ing)',
    '(?:fulfil|enrol|instal)(?:s|ment)?',
    '(?:normal|initial|optim|recogn|organ|serial|token|quant|vector|summar|minim|maxim|real|util|special|character|parallel|final|custom|general' +
      '|local|visual|synchron|priorit|standard|stabil|equal|penal|capital)is(?:e|es|ed|er|ers|ing|ations?)',
    'analys(?:e|ed|ing)',
  ].join('|')})\b`,
  'gi',
)

const endings = ['.cmake', '.cpp', '.css', '.hpp', '.html', '.js', '.json', '.md', '.mjs', '.py', '.sh', '.ts', '.txt', '.yml']
const quoted =
  /^models\/(?:training\/(?:stories|tiny)|tiny)\/|^tests\/(?:chat|golden)\/.*data\/|^tests\/package\/tiny|^tests\/tools\/spelling/
/** An option that was released as it is spelled. */
const released = ['normalise']
/** A status of OpenAI's responses, as it is quoted in code. */
const ofOthers = /'cancelled'/g

test('words are spelled as in the United States', () => {
  const files = [
    ...filesIn(['api', 'bindings', 'cmake', 'create', 'docs', 'examples', 'models', 'src', 'tests', 'tools', 'web'], endings),
    ...readdirSync(inRoot('.')).filter(name => name.endsWith('.md')),
  ].filter(file => !quoted.test(file))
  assert.ok(files.length > 1000)
  const found = files.flatMap(file =>
    readFileSync(inRoot(file), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        [...line.replace(ofOthers, '').matchAll(british)]
          .filter(([word]) => !released.includes(word))
          .map(([word]) => `${file}:${at + 1}: ${word}`),
      ),
  )
  assert.deepEqual(found, [])
})

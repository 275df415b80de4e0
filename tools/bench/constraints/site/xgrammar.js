// XGrammar's package for pages, a script for CommonJS with its module inside.

/** Like heed.js, but with asynchronous functions. */
export async function open() {
  const xgrammar = {}
  new Function('exports', 'module', await (await fetch('xgrammar/index.js')).text())(xgrammar, {})
  const { GrammarCompiler, GrammarMatcher, TokenizerInfo } = xgrammar
  return async ({ texts, tokens, ends }) => {
    const vocabulary = await TokenizerInfo.createTokenizerInfo(spelled(texts, tokens), 'byte_level', false, tokens, ends)
    const compiler = await GrammarCompiler.createGrammarCompiler(vocabulary, false)
    return async schema => {
      const compiled = await compiler.compileJSONSchema(schema, true, undefined, undefined, false) // not strict, as in JSON Schema
      return {
        async begin() {
          const matcher = await GrammarMatcher.createGrammarMatcher(compiled)
          return {
            mask: () => matcher.getNextTokenBitmask(),
            accept: token => matcher.acceptToken(token),
            end: () => matcher.dispose(),
          }
        },
        drop: () => compiled.dispose(),
      }
    }
  }
}

/** The tokens with GPT-2's letters for bytes (https://github.com/openai/gpt-2, encoder.py), which XGrammar reads. */
function spelled(texts, tokens) {
  const letters = []
  let others = 256
  for (let byte = 0; byte < 256; byte++) {
    const printed = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
    letters.push(String.fromCharCode(printed ? byte : others++))
  }
  const ends = new Uint32Array(texts.slice(0, 4 * tokens).buffer)
  const bytes = texts.subarray(5 * tokens)
  return Array.from(ends, (end, id) => Array.from(bytes.subarray(ends[id - 1] ?? 0, end), byte => letters[byte]).join(''))
}

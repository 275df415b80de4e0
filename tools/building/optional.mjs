// Makes optional properties in declarations accept undefined: with `exactOptionalPropertyTypes`, TypeScript would reject `{ signal:
// undefined }`, which the package treats as absent, as most packages do.

/** The end of the type that begins at `at`. */
function endOf(text, at) {
  for (let depth = 0; ; at++) {
    const character = text[at]
    if (character === undefined) throw new Error('a type does not end')
    if (`'"\``.includes(character)) at = text.indexOf(character, at + 1)
    else if (text.startsWith('/*', at)) at = text.indexOf('*/', at) + 1
    else if (text.startsWith('=>', at)) at++
    else if ('([{<'.includes(character)) depth++
    else if (depth > 0 && ')]}>'.includes(character)) depth--
    else if (depth === 0 && ';,)]}='.includes(character)) return at
  }
}

/** A declaration file in which each optional property may be undefined. */
export function withUndefined(text) {
  let all = '',
    from = 0
  for (const { index, 0: found } of text.matchAll(/\/\*.*?\*\/|(?<=[\w$'")\]])\?: /gs)) {
    if (found.startsWith('/*') || index < from) continue
    const begin = index + found.length,
      end = endOf(text, begin)
    const type = withUndefined(text.slice(begin, end))
    all += `${text.slice(from, begin)}${/=>|\bextends\b/.test(type) ? `(${type})` : type} | undefined`
    from = end
  }
  return all + text.slice(from)
}

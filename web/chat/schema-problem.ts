// What is wrong with a JSON Schema, in the page's words: the engine names options that only programs have.

const types = 'one of string, number, integer, boolean, object, array and null, or a list of them'

/** A sentence with the place of the problem, unless it is the whole schema, and the reason. */
export function schemaProblem(message: string): string {
  const [, why = message, keyword, pointer = ''] = /^([\s\S]*) \((\S+) at #(.*)\)$/.exec(message) ?? []
  const where = pointer === '' ? '' : `in “${pointer.slice(1)}”, `
  return where + reason(why, keyword)
}

function reason(why: string, keyword: string | undefined): string {
  const [, elsewhere] = /^it refers to (.*), which is not in option schemas$/.exec(why) ?? []
  if (elsewhere !== undefined) return `“${keyword}” refers to ${elsewhere}, and nothing is fetched: put what is there under “$defs”`
  if (why === 'type must be a type or a list of types') return `“type” must be ${types}`
  const [, damaged] = /^invalid JSON: (.*)$/.exec(why) ?? []
  if (damaged !== undefined) return `it is not JSON: ${damaged}`
  if (keyword === undefined || keyword === 'schema') return why
  return why.startsWith(`${keyword} `) ? `“${keyword}”${why.slice(keyword.length)}` : `“${keyword}”: ${why}`
}

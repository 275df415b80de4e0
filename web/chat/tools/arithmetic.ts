// Evaluates arithmetic as people write it: numbers, + - * / % ^, parentheses. Nothing is run as code.

/** The maximum nesting depth. */
const mostDepth = 100

/** Throws an Error that describes the mistake in the text. */
export function calculate(text: string): number {
  const tokens = text.match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+|[-+*/%^()×÷]|\S/gi) ?? []
  let at = 0
  let depth = 0
  const take = (...wanted: string[]) => (wanted.includes(tokens[at] ?? '') ? tokens[at++] : undefined)

  const inner = <Value>(read: () => Value): Value => {
    if (++depth > mostDepth) throw new Error('the expression is nested too deeply')
    const value = read()
    depth--
    return value
  }
  const sum = (): number =>
    inner(() => {
      let value = product()
      for (let sign; (sign = take('+', '-')); ) value = sign === '+' ? value + product() : value - product()
      return value
    })
  const product = (): number => {
    let value = signed()
    for (let sign; (sign = take('*', '×', '/', '÷', '%')); ) {
      const other = signed()
      value = sign === '*' || sign === '×' ? value * other : sign === '%' ? value % other : value / other
    }
    return value
  }
  const signed = (): number => inner(() => (take('-') ? -signed() : take('+') ? signed() : power()))
  const power = (): number => {
    const value = single()
    return take('^') ? value ** signed() : value
  }
  const single = (): number => {
    if (take('(')) {
      const value = sum()
      if (!take(')')) throw new Error('a bracket is not closed')
      return value
    }
    const token = tokens[at++]
    if (token === undefined) throw new Error('the expression ends too early')
    if (!/^[\d.]/.test(token)) throw new Error(`“${token}” is not a number`)
    return Number(token)
  }

  const value = sum()
  if (at < tokens.length) throw new Error(`“${tokens[at]}” is out of place`)
  if (!Number.isFinite(value)) throw new Error('the result is not a number')
  return value
}

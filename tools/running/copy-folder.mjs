import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'

/** Copies a folder, with hard links if possible: node_modules can have tens of thousands of files. */
export function copyFolder(from, to) {
  try {
    execFileSync('cp', ['-al', from, to], { stdio: 'ignore' })
  } catch {
    rmSync(to, { recursive: true, force: true })
    cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  }
}

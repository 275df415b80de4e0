// Programs of a Debian root of their own, for a newer version than the host's; a script of the same name runs each of them.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../paths.mjs'
import { withLock } from '../running/lock.mjs'
import { debianRoot } from '../toolchain/debian.mjs'

const folderOf = name => join(cacheFolder(), name)

/** The path of the script that runs a program of the root of this name. */
export const scriptApart = (name, program) => join(folderOf(name), 'bin', program)

/** Creates the root or completes it, installs packages in it, then writes scripts for its programs. */
export function installApart(name, packages, programs) {
  const folder = folderOf(name)
  const missing = () => programs.filter(program => !existsSync(scriptApart(name, program)))
  return withLock(join(folder, 'lock'), async () => {
    if (missing().length === 0) return
    const debian = debianRoot(folder, join(cacheFolder(), 'setup.log'), { [name]: packages })
    await debian.prepare([name], () => {
      mkdirSync(join(folder, 'bin'), { recursive: true })
      for (const program of missing()) writeFileSync(scriptApart(name, program), debian.script(program), { mode: 0o755 })
    })
  })
}

// An isolated Debian root folder with the compilers, made once by debootstrap in the cache folder: the host gets
// debootstrap and nothing else. Every step can be interrupted and run again.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chrootCommand } from './chroot.mjs'
import { execute, step } from './steps.mjs'

const suites = ['forky', 'sid']
const bootstrapScript = '/usr/share/debootstrap/scripts/sid'
const sharedCertificates = '/etc/ssl/certs/ca-certificates.crt'

/** Why no such root can be made here, or undefined if one can. */
export function debianObstacle() {
  if (process.platform !== 'linux') return 'this is not Linux'
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  if (!/^ID="?debian"?$/m.test(release)) return 'this is not Debian'
  if (process.getuid() !== 0) return 'only root may make an isolated Debian'
}

/** The packages of packages.txt. */
export function packageList() {
  const text = readFileSync(new URL('packages.txt', import.meta.url), 'utf8')
  return text.split('\n').filter(line => line && !line.startsWith('#'))
}

/** Installs packages on the host, for what cannot live in the root. */
export async function installOnHost(packages, log) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await execute('apt-get', ['update', '-q'], { env, log })
  await execute('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], { env, log })
}

/** The address of the host's own mirror of `main`, or undefined to take debootstrap's default. */
function hostMirror() {
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
  const folder = '/etc/apt/sources.list.d'
  const files = ['/etc/apt/sources.list', ...(existsSync(folder) ? readdirSync(folder).map(name => join(folder, name)) : [])]
  for (const file of files.filter(existsSync)) {
    const text = readFileSync(file, 'utf8')
    for (const stanza of text.split(/\n\s*\n/)) {
      const field = name => new RegExp(`^${name}:(.*)$`, 'mi').exec(stanza)?.[1].trim().split(/\s+/) ?? []
      if (field('Suites').includes(codename) && field('Components').includes('main')) return field('URIs')[0]
    }
    const line = new RegExp(`^deb\\s+(?:\\[[^\\]]*\\]\\s+)?(\\S+)\\s+${codename}\\s+(?:.*\\s)?main\\b`, 'm').exec(text)
    if (line) return line[1]
  }
}

/** Gives the root the host's proxy and certificate settings. */
async function copyHostSettings(root) {
  const { stdout } = await execute('apt-config', ['dump'], { capture: true })
  const settings = stdout.split('\n').filter(line => /^Acquire::.*(Proxy|Verify-|CaInfo|CaPath|SslCert|SslKey)\b.*"[^"]+"/i.test(line))
  const lines = ['Acquire::Check-Valid-Until "false";', 'Acquire::Retries "3";', ...settings]
  writeFileSync(join(root, 'etc/apt/apt.conf.d/90heed'), `${lines.join('\n')}\n`)
  mkdirSync(join(root, 'etc/ssl/certs'), { recursive: true })
  if (existsSync(sharedCertificates)) writeFileSync(join(root, sharedCertificates), readFileSync(sharedCertificates))
}

async function bootstrap(suite, root, log) {
  if (!existsSync('/usr/sbin/debootstrap')) {
    await step('install debootstrap', () => installOnHost(['debootstrap'], log))
  }
  await step(`make an isolated Debian ${suite} in ${root}`, async () => {
    const partial = `${root}.partial`
    rmSync(partial, { recursive: true, force: true })
    const mirror = hostMirror()
    const args = ['--variant=minbase', '--include=ca-certificates', suite, partial]
    await execute('debootstrap', mirror ? [...args, mirror, bootstrapScript] : args, { log })
    const list = join(partial, 'etc/apt/sources.list')
    appendFileSync(list, readFileSync(list, 'utf8').replace(/^deb /gm, 'deb-src '))
    renameSync(partial, root)
  })
}

/** A description of the root `folder/root`, which `prepare` makes or completes. */
export function debianRoot(folder, log) {
  const root = join(folder, 'root')
  const stamps = join(folder, 'stamps')
  const packages = packageList()
  const stamp = join(stamps, `packages-${createHash('sha256').update(packages.join()).digest('hex').slice(0, 12)}`)

  const inside = (command, args, { cwd, env, folders = [], ...options } = {}) => {
    const entered = chrootCommand(root, command, args, { cwd, env, folders: [folder, ...folders] })
    return execute(entered.command, entered.args, { ...options, env: entered.env, name: command })
  }

  /** Installs what packages.txt names; a set-up cut short earlier is mended first. */
  async function install() {
    if (existsSync(stamp)) return
    await step(`install in it: ${packages.join(', ')}`, async () => {
      await copyHostSettings(root)
      await inside('dpkg', ['--configure', '-a'], { cwd: '/', log })
      await inside('apt-get', ['update', '-q'], { cwd: '/', log })
      const quiet = ['-y', '-q', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=600']
      await inside('apt-get', ['install', ...quiet, '--fix-broken', ...packages], { cwd: '/', log })
      await inside('apt-get', ['clean'], { cwd: '/', log })
      mkdirSync(stamps, { recursive: true })
      writeFileSync(stamp, '')
    })
  }

  return {
    root,
    run: inside,
    ready: () => existsSync(root) && existsSync(stamp),
    /** Makes the root from the first suite whose packages satisfy `accept`, which throws if they do not. */
    async prepare(accept) {
      const failures = []
      for (const suite of suites) {
        try {
          if (!existsSync(root)) await bootstrap(suite, root, log)
          await install()
          return await accept()
        } catch (error) {
          failures.push(`${suite}: ${error.message}`)
          if (suite === suites.at(-1)) throw new Error(failures.join('\n'))
          console.log(`  Debian ${suite} does not serve, trying the next: ${error.message}`)
          rmSync(root, { recursive: true, force: true })
          rmSync(stamps, { recursive: true, force: true })
        }
      }
    },
  }
}

// An isolated Debian root folder with the compilers, or with a browser, created once by debootstrap in the cache folder. Only
// debootstrap is installed on the host. Every step can be interrupted and run again.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { cacheFolder } from '../paths.mjs'
import { execute } from '../running/execute.mjs'
import { withLock } from '../running/lock.mjs'
import { say, step } from '../running/steps.mjs'
import { chrootCommand, chrootScript } from './chroot.mjs'

/** The first one whose packages are recent enough is used. An older Debian's debootstrap can install them all with sid's script. */
const suites = ['forky', 'sid']
const bootstrapScript = '/usr/share/debootstrap/scripts/sid'
const certificates = '/etc/ssl/certs/ca-certificates.crt'
const quietly = ['-y', '-q', '--no-install-recommends', '--fix-broken']
const doesNotServe = /is not enough|unmet dependencies|Unable to locate package|no installation candidate/

/** Why Debian packages cannot be installed here, in an isolated root or on the host; undefined if they can. */
export function debianObstacle() {
  if (process.platform !== 'linux') return 'this is not Linux'
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  if (!/^ID="?debian"?$/m.test(release)) return 'this is not Debian'
  if (process.getuid() !== 0) return 'only root may install Debian packages'
}

/** The packages of each part of the toolchain: the sections of packages.txt. */
function packageLists() {
  const text = readFileSync(new URL('packages.txt', import.meta.url), 'utf8')
  const [wasm, native, arm, real] = text
    .split(/^# For .*\n/m)
    .slice(1)
    .map(section => section.split('\n').filter(Boolean))
  return { wasm, native, arm, real }
}

/** Reports how many of apt's packages are unpacked and set up; downloads count as a third. */
function aptProgress(report) {
  let total = 0,
    done = 0
  return line => {
    const count = /(\d+) newly installed/.exec(line)
    if (count) [total, done] = [Number(count[1]), 0]
    if (total > 0 && /^(Get:|Unpacking |Setting up )/.test(line))
      report(`${Math.min(99, Math.floor((100 * ++done) / (3 * total)))} %`)
  }
}

/** Installs packages in the system where `run` runs; first repairs an installation that was interrupted. */
async function installPackages(run, packages, log, report = () => {}) {
  const install = (...args) => run('apt-get', ['install', ...quietly, ...args], { log, onLine: aptProgress(report) })
  await run('dpkg', ['--configure', '-a'], { log, check: false })
  await run('apt-get', ['update', '-q'], { log })
  await install() // missing dependencies of installed packages
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholders
  const format = '${db:Status-Eflag} ${binary:Package}\\n'
  const { stdout } = await run('dpkg-query', ['-W', '-f', format], { capture: true })
  const halfUnpacked = [...stdout.matchAll(/^reinstreq (\S+)$/gm)].map(([, name]) => name)
  if (halfUnpacked.length > 0) await install('--reinstall', ...halfUnpacked)
  await install(...packages)
}

/** Installs packages on the host, for programs that cannot run in the root. */
export function installOnHost(packages, log, report) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = (command, args, options) => execute(command, args, { env, ...options })
  return withLock(join(cacheFolder(), 'host-lock'), () => installPackages(run, packages, log, report))
}

/** The host's own mirror of `main`, or undefined for debootstrap's default. */
function hostMirror() {
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
  const folder = '/etc/apt/sources.list.d'
  const files = existsSync(folder) ? readdirSync(folder).map(name => join(folder, name)) : []
  for (const file of ['/etc/apt/sources.list', ...files].filter(existsSync)) {
    const text = readFileSync(file, 'utf8')
    for (const stanza of text.split(/\n\s*\n/)) {
      const field = name => new RegExp(`^${name}:(.*)$`, 'mi').exec(stanza)?.[1].trim().split(/\s+/) ?? []
      if (field('Suites').includes(codename) && field('Components').includes('main')) return field('URIs')[0]
    }
    const line = new RegExp(`^deb\\s+(?:\\[[^\\]]*\\]\\s+)?(\\S+)\\s+${codename}\\s+(?:.*\\s)?main\\b`, 'm')
    if (line.test(text)) return line.exec(text)[1]
  }
}

/** The host's apt settings about proxies and certificates, as lines of apt.conf. */
async function hostAptSettings() {
  const carried = /^Acquire::.*(Proxy|Verify-|CaInfo|CaPath|SslCert|SslKey)\b.*"[^"]+"/i
  const { stdout } = await execute('apt-config', ['dump'], { capture: true })
  return stdout.split('\n').filter(line => carried.test(line))
}

/** The root can be recreated at any time, so dpkg need not wait for the disk; of documentation, only licenses are installed. */
const dpkgSettings = `force-unsafe-io
path-exclude=/usr/share/doc/*
path-include=/usr/share/doc/*/copyright
path-exclude=/usr/share/man/*
path-exclude=/usr/share/locale/*
`

async function bootstrap(suite, root, log) {
  if (!existsSync('/usr/sbin/debootstrap')) {
    await step('install debootstrap', report => installOnHost(['debootstrap'], log, report))
  }
  await step(`make an isolated Debian ${suite} in ${root}`, async report => {
    const [parent, prefix] = [dirname(root), `${basename(root)}.partial-`]
    mkdirSync(parent, { recursive: true })
    for (const name of readdirSync(parent)) {
      if (name.startsWith(prefix)) rmSync(join(parent, name), { recursive: true, force: true })
    }
    // A unique name, because the debootstrap of a killed run may still be running.
    const partial = join(parent, `${prefix}${process.pid}`)
    mkdirSync(join(partial, 'etc/dpkg/dpkg.cfg.d'), { recursive: true }) // before its dpkg runs, which would otherwise wait for the disk
    writeFileSync(join(partial, 'etc/dpkg/dpkg.cfg.d/heed'), dpkgSettings)
    const settings = await hostAptSettings()
    const proxy = settings.map(line => /^Acquire::http::Proxy "(http[^"]+)"/i.exec(line)?.[1]).find(Boolean)
    const env = { ...(proxy && { http_proxy: proxy }), ...process.env }
    const mirror = hostMirror()
    const from = mirror ? [mirror, bootstrapScript] : []
    const command = ['debootstrap', '--variant=minbase', '--include=ca-certificates', suite, partial, ...from]
    // In its own mount namespace, so that a killed debootstrap leaves no /proc mounted.
    const apart = ['--mount', '--propagation', 'private', ...command]
    const onLine = line => {
      report(/^I: (\S+)/.exec(line)?.[1].toLowerCase() ?? '')
    }
    await execute('unshare', apart, { env, log, shown: command, onLine })
    const sources = join(partial, 'etc/apt/sources.list')
    appendFileSync(sources, readFileSync(sources, 'utf8').replace(/^deb /gm, 'deb-src '))
    renameSync(partial, root)
  })
}

/**
 * The Debian root in `folder`/root; `prepare` creates or completes it. Long steps write their output to `log`. `lists` has the
 * packages of each of its parts, by default those of the toolchain.
 */
export function debianRoot(folder, log, lists = packageLists()) {
  const root = join(folder, 'root')
  const stamps = join(folder, 'stamps')
  const stampOf = part => join(stamps, `packages-${createHash('sha256').update(lists[part].join()).digest('hex').slice(0, 12)}`)

  const run = (command, args, { cwd, env, folders = [], ...options } = {}) => {
    const entered = chrootCommand(root, command, args, { cwd, env, folders: [folder, ...folders] })
    return execute(entered.command, entered.args, { ...options, env: entered.env, shown: [command, ...args] })
  }

  /** Installs the packages of some parts; first repairs an interrupted installation. */
  async function install(parts) {
    const missing = parts.filter(part => !existsSync(stampOf(part)))
    if (missing.length === 0) return
    const packages = missing.flatMap(part => lists[part])
    await step(`install in it: ${packages.join(', ')}`, async report => {
      const own = ['Acquire::Check-Valid-Until "false";', 'Acquire::Retries "3";', 'Acquire::Languages "none";']
      const settings = [...own, ...(await hostAptSettings())]
      writeFileSync(join(root, 'etc/apt/apt.conf.d/90heed'), `${settings.join('\n')}\n`)
      mkdirSync(join(root, 'etc/ssl/certs'), { recursive: true })
      if (existsSync(certificates)) writeFileSync(join(root, certificates), readFileSync(certificates))
      const runInside = (command, args, options) => run(command, args, { cwd: '/', ...options })
      await installPackages(runInside, packages, log, report)
      await runInside('apt-get', ['clean'], { log })
      mkdirSync(stamps, { recursive: true })
      for (const part of missing) writeFileSync(stampOf(part), '')
    })
  }

  return {
    run,
    /** The text of a script for the host that runs a program of the root. */
    script: program => chrootScript(root, program),
    ready: part => existsSync(root) && existsSync(stampOf(part)),
    /** Creates the root from the first suite that suffices; if one does not, `accept` throws "... is not enough". */
    async prepare(parts, accept) {
      for (const suite of suites) {
        try {
          if (!existsSync(root)) await bootstrap(suite, root, log)
          await install(parts)
          return await accept()
        } catch (error) {
          if (suite === suites.at(-1) || !doesNotServe.test(error.message)) throw error
          say(`  Debian ${suite} does not serve, trying the next: ${error.message}`)
          rmSync(stamps, { recursive: true, force: true })
          rmSync(root, { recursive: true, force: true })
        }
      }
    },
  }
}

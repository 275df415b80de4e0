// Runs a program in a Debian root folder in which the host's own files (the project, /tmp, home) have the same paths. The
// mounts are in a private mount namespace, so they vanish with the program.
import { resolve } from 'node:path'

const enterScript = `
set -e
root=$1 cwd=$2; shift 2
show() { mkdir -p "$root$1"; mount --rbind "$1" "$root$1"; }
for folder in /*; do
  case $folder in
    /bin|/boot|/etc|/lib*|/lost+found|/run|/sbin|/usr|/var) ;;
    *) if [ -d "$folder" ] && [ ! -L "$folder" ]; then show "$folder"; fi ;;
  esac
done
while [ "$1" != -- ]; do show "$1"; shift; done
shift
cp -L /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
exec chroot "$root" /bin/sh -c 'cd "$1" && shift && exec "$@"' sh "$cwd" "$@"
`
const systemFolder = /^\/(bin|boot|etc|lib[^/]*|run|sbin|usr|var)\//
const keptVariables = new RegExp(
  '^(HOME|TERM|TZ|CI|NO_COLOR|.*_(proxy|PROXY)|SSL_CERT_.*|' +
    'NODE_EXTRA_CA_CERTS|HEED_.*|CMAKE_.*|CTEST_.*|NINJA_.*|(A|UB)SAN_OPTIONS)$',
)

const ownVariables = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
  DEBIAN_FRONTEND: 'noninteractive',
}

/** The environment inside: the host's variables that also apply there, and the root's own PATH and locale. */
function environmentInside(extra) {
  const kept = Object.entries(process.env).filter(([name]) => keptVariables.test(name))
  return { ...Object.fromEntries(kept), ...ownVariables, ...extra }
}

/** The command line and environment to run `command` in `root`, with `folders` visible inside. */
export function chrootCommand(root, command, args, { cwd = process.cwd(), env = {}, folders = [] } = {}) {
  const hidden = [resolve(cwd), ...folders].filter(folder => systemFolder.test(folder))
  return {
    command: 'unshare',
    args: [
      '--mount',
      '--propagation',
      'private',
      '--',
      'sh',
      '-c',
      enterScript,
      'sh',
      root,
      resolve(cwd),
      ...new Set(hidden),
      '--',
      command,
      ...args,
    ],
    env: environmentInside(env),
  }
}

const quoted = text => `'${text.replaceAll("'", "'\\''")}'`

/** The text of a shell script that runs a program of `root` with the script's own arguments and environment. */
export function chrootScript(root, program) {
  const { command, args } = chrootCommand(root, program, [], { cwd: '/' })
  const settings = Object.entries(ownVariables).map(([name, value]) => `export ${name}=${quoted(value)}\n`)
  return `#!/bin/sh\n${settings.join('')}exec ${[command, ...args].map(quoted).join(' ')} "$@"\n`
}

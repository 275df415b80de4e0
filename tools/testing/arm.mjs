// The `arm` suite: the kernels of AArch64, cross-compiled and run in an emulator. Each kernel on each target is one test.
import { inRoot, root } from '../paths.mjs'
import { failure, noTests } from './counts.mjs'

/** Runs heed_kernel_check of native-arm. */
export async function armTests(toolchain) {
  const start = performance.now()
  const { status, stdout } = await toolchain.run(
    'qemu-aarch64',
    ['-L', '/usr/aarch64-linux-gnu', inRoot('build/native-arm/heed_kernel_check')],
    {
      cwd: root,
      capture: true,
      check: false,
    },
  )
  const counts = /^(\d+) passed, (\d+) failed$/m.exec(stdout)
  if (!counts) return failure(`arm: the program ended with ${status}`, stdout)
  const [passed, failed] = counts.slice(1).map(Number)
  return {
    ...noTests,
    passed,
    failed,
    tests: [{ name: 'heed_kernel_check', ms: performance.now() - start }],
    failures: failed > 0 ? [{ name: 'arm', output: stdout, failed }] : [],
  }
}

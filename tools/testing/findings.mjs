import { noTests } from './counts.mjs'

/**
 * The result of checking `files` files, each of which is a test: `found` are {path, line, message, check}, `advice` tells the
 * developer how to fix them.
 */
export function resultOfFindings(files, found, advice) {
  const byFile = grouped(found)
  const failures = [...byFile].map(([path, list]) => ({
    name: path,
    failed: 1,
    output: `${list.map(({ line, message, check }) => `${path}:${line}: ${message} (${check})`).join('\n')}\n${advice}`,
  }))
  return { ...noTests, passed: files - failures.length, failed: failures.length, failures }
}

/** Findings by their files. */
function grouped(found) {
  const groups = new Map()
  for (const finding of found) groups.set(finding.path, [...(groups.get(finding.path) ?? []), finding])
  return groups
}

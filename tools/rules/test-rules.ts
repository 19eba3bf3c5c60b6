import { compileSource } from '../../src/services/build/rules/compile.ts'
import { checkCompiled } from '../../src/services/build/rules/diagnostics.ts'
import { explainStatements } from '../../src/services/build/rules/explain.ts'
import { decideOffline } from '../../src/services/build/rules/offline.ts'
import { type CaseFile, readCases, WrongCases } from './cases.ts'

/** What a pipeline reads from the way `loggia rules test` ended. */
export const rulesExitCodes = { passed: 0, failed: 1, usage: 2, notPublishable: 3 } as const

export const rulesUsage = `loggia rules test FILE [--rules RULES]

  FILE    JSON: the rules file, and a list of cases with what each is expected to be
  RULES   the rules instead of those that FILE names

Ends with 0 every case passed, 1 a case failed, 2 wrong usage or file, 3 the rules could not be published.
`

type Write = (line: string) => void

/** Runs the cases of a file without any server, writes a report in the form of TAP, and returns the exit code. */
export function testRules(args: readonly string[], write: Write, complain: Write): number {
  const [file, option, rulesFile, ...rest] = args
  const isRight = file !== undefined && !file.startsWith('-') && rest.length === 0
  if (!isRight || (option !== undefined && (option !== '--rules' || rulesFile === undefined))) {
    complain(rulesUsage)
    return rulesExitCodes.usage
  }
  try {
    return report(readCases(file, rulesFile), write, complain)
  } catch (error) {
    if (!(error instanceof WrongCases)) throw error
    complain(`loggia: ${error.message}\n`)
    return rulesExitCodes.usage
  }
}

function report({ service, rulesFile, source, data, cases }: CaseFile, write: Write, complain: Write): number {
  const compiled = compileSource(source, service)
  const faults = checkCompiled(compiled, source, null).diagnostics.filter(one => one.severity === 'ERROR')
  for (const { line, col, code, message } of faults) complain(`${rulesFile}:${line}:${col}: ${code} ${message}\n`)
  if (faults.length > 0) return rulesExitCodes.notPublishable
  write(`TAP version 14\n1..${cases.length}\n`)
  let failed = 0
  for (const [at, { name, request, isAllowed }] of cases.entries()) {
    const { outcome, state } = decideOffline(compiled.program, request, data)
    const isRight = outcome.allowed === isAllowed
    if (!isRight) failed++
    write(`${isRight ? 'ok' : 'not ok'} ${at + 1} - ${name.replace(/[#\n\r]/g, ' ')}\n`)
    if (isRight) continue
    const lines = explainStatements(compiled.program, request, state).flatMap(({ pattern, allows }) =>
      allows.map(one => `${pattern} line ${one.line}: ${one.result}${one.error === null ? '' : `, ${one.error}`}`),
    )
    write(`  ---\n  expected: ${isAllowed ? 'allow' : 'deny'}\n  found: ${outcome.allowed ? 'allow' : 'deny'}\n`)
    write(`  statements:${lines.length === 0 ? ' []' : ''}\n`)
    for (const line of lines) write(`    - ${JSON.stringify(line)}\n`)
    write('  ...\n')
  }
  write(`# ${cases.length - failed} passed, ${failed} failed\n`)
  return failed === 0 ? rulesExitCodes.passed : rulesExitCodes.failed
}

import { mkdtempSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { report, root, runStep, verifyAll, verifySteps } from './steps.ts'
import { installTestPrograms } from './test-programs.ts'

/** `npm run check`: installs what the tests need, then runs every check and test there is. */
const reports = mkdtempSync(path.join(os.tmpdir(), 'loggia-check-'))
let passed = 0
let failed = 0
let skipped = 0

/** Runs one vitest configuration and counts its tests; a run that ends early counts as a failure. */
async function tests(name: string, config: string): Promise<void> {
  const file = path.join(reports, `${name.replaceAll(' ', '-')}.json`)
  const args = ['run', '--config', config, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const result = await runStep(name, 'vitest', args, { NO_COLOR: '1' })
  try {
    const counts = JSON.parse(readFileSync(file, 'utf8')) as Counts
    report({ ...result, output: [...failures(counts), result.output].join('\n') })
    passed += counts.numPassedTests
    failed += counts.numFailedTests
    skipped += counts.numPendingTests
    process.stdout.write(
      `        ${counts.numPassedTests} passed, ${counts.numFailedTests} failed, ${counts.numPendingTests} skipped\n`,
    )
    if (!result.isPassed && counts.numFailedTests === 0) failed++
  } catch {
    report(result)
    failed++
  }
}

/** What failed and the first line of why, to stand before the long output. */
function failures({ testResults }: Counts): string[] {
  return testResults
    .filter(file => file.status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(test => test.status === 'failed')
      const at = path.relative(root, name)
      if (tests.length === 0) return [`${at}: ${firstLine(message)}`]
      return tests.map(test => `${at} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
    })
}

const firstLine = (text = '') => text.split('\n', 1)[0] ?? ''

interface Counts {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: readonly {
    name: string
    status: string
    message: string
    assertionResults: readonly { fullName: string; status: string; failureMessages: readonly string[] }[]
  }[]
}

const missing = installTestPrograms()
const built = await runStep('console build', process.execPath, ['tools/build-console.ts'])
report(built)
if (built.isPassed) passed++
else failed++
const unruly = await verifyAll()
passed += verifySteps.length - unruly
failed += unruly
await tests('behaviour', 'vitest.config.ts')
await tests('journeys and foreign clients', 'vitest.e2e.config.ts')
if (missing.length > 0) {
  process.stdout.write(
    `\n${skipped} tests were skipped for want of programs; as root: apt-get install -y ${missing.join(' ')}\n`,
  )
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0

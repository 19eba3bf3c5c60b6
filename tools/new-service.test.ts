import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root, runStep, verifySteps } from './steps.ts'

/** The scaffold is tried on a copy of the working tree, with git's view of it, and nothing of it is touched by hand. */
const copy = mkdtempSync(path.join(os.tmpdir(), 'loggia-scaffold-'))

beforeAll(() => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of files.split('\n').filter(Boolean))
    cpSync(path.join(root, file), path.join(copy, file), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  execFileSync('git', ['init', '-q'], { cwd: copy })
  execFileSync(process.execPath, ['tools/new-service.ts', 'grow/gift-cards'], { cwd: copy })
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** A check that was red before the scaffold ran is not the scaffold's to answer for; it has its own step. */
const checks = verifySteps.filter(step => step.name !== 'dead code')

describe('a new service', () => {
  it.each(checks)('passes untouched: $name', async ({ name, command, args }) => {
    const here = args.map(arg => arg.replace(root, `${root}`))
    const result = await runStep(name, command, here, {}, copy)
    expect(result.isPassed ? 'passed' : result.output).toBe('passed')
  })

  it('passes its own tests', async () => {
    const args = ['run', 'src/services/grow/gift-cards']
    const result = await runStep('tests', 'vitest', args, { NO_COLOR: '1' }, copy)
    expect(result.isPassed ? 'passed' : result.output).toBe('passed')
  })

  it('is not made twice', () => {
    expect(() =>
      execFileSync(process.execPath, ['tools/new-service.ts', 'grow/gift-cards'], { cwd: copy, stdio: 'pipe' }),
    ).toThrow('is there already')
  })
})

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { advisoryProblems, advisoryRows } from './advisories.ts'
import { root } from './steps.ts'

const read = (file: string) => (existsSync(root + file) ? readFileSync(root + file, 'utf8') : null)
const table = (...rows: string[]) => ['| advisory | what we do | test |', '| --- | --- | --- |', ...rows].join('\n')

describe('the table of advisories', () => {
  it('names tests that are there', () => {
    const document = read('docs/advisories.md') ?? ''
    expect(advisoryRows(document).length).toBeGreaterThan(15)
    expect(advisoryProblems(document, read)).toEqual([])
  })

  it.each([
    ['no row', table(), 'is empty'],
    ['no advisory', table('| | a | `a.test.ts`: b |'), 'names no advisory'],
    ['no test', table('| CVE-1 | a | tested |'), 'the last cell'],
    ['a file that is not there', table('| CVE-1 | a | `none.test.ts`: b |'), 'no file of tests'],
    ['a file of no tests', table('| CVE-1 | a | `tools/steps.ts`: b |'), 'no file of tests'],
    ['a name that no test has', table('| CVE-1 | a | `a.test.ts`: another |'), 'no test named'],
    ['a test that is skipped', table('| CVE-1 | a | `a.test.ts`: skipped |'), 'no test named'],
    ['a name in a comment', table('| CVE-1 | a | `a.test.ts`: said |'), 'no test named'],
  ])('is refused with %s', (_what, document, told) => {
    const source = `it('one', () => {})\nit.skip('skipped', () => {})\n// said\n`
    expect(advisoryProblems(document, file => (file === 'a.test.ts' ? source : null))).toEqual([
      expect.stringContaining(told),
    ])
    expect(advisoryProblems(table('| CVE-1 | a | `a.test.ts`: one |'), () => source)).toEqual([])
  })
})

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
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
  for (const file of files.split('\n').filter(name => name && existsSync(path.join(root, name))))
    cpSync(path.join(root, file), path.join(copy, file), { recursive: true })
  // What the compiler knows of the files that stay as they are need not be found out again: it finds the packages by the
  // names they had there as long as it does not follow the link to them.
  for (const known of globSync('dist/*.tsbuildinfo', { cwd: root }))
    cpSync(path.join(root, known), path.join(copy, known))
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  execFileSync('git', ['init', '-q'], { cwd: copy })
  execFileSync(process.execPath, ['tools/new-service.ts', 'grow/gift-cards'], { cwd: copy })
  const named = ['tools/new-service.ts', 'grow/coupons', '优惠券', 'Купоны']
  execFileSync(process.execPath, named, { cwd: copy })
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** A check that was red before the scaffold ran is not the scaffold's to answer for; it has its own step. */
const checks = verifySteps.filter(step => step.name !== 'dead code')
/** A step is a whole program over the whole tree, and other tests run beside it. */
const stepMs = 600_000

describe('a new service', () => {
  it.each(checks)('passes untouched: $name', { timeout: stepMs }, async ({ name, command, args }) => {
    const more = name.startsWith('types') ? ['--preserveSymlinks'] : []
    const result = await runStep(name, command, [...args, ...more], {}, copy)
    expect(result.isPassed ? 'passed' : result.output).toBe('passed')
  })

  it('passes its own tests, and those that look at what every service says of itself', {
    timeout: stepMs,
  }, async () => {
    const ofAll = ['src/services/ground/teams/permission-words.test.ts', 'src/services/distribute/apps/transfer']
    const args = ['run', 'src/services/grow/gift-cards', ...ofAll]
    const result = await runStep('tests', 'vitest', args, { NO_COLOR: '1' }, copy)
    expect(result.isPassed ? 'passed' : result.output).toBe('passed')
  })

  it('says what it can do in each language, in the catalogue and on its page', () => {
    const read = (file: string) => readFileSync(path.join(copy, file), 'utf8')
    const entries = read('src/services/ground/menu/catalogue.data.ts')
    expect(entries).not.toMatch(/(?:zh|en|ru|keywords): ''/)
    for (const [service, title, texts] of [
      [
        'gift-cards',
        { zh: 'Gift cards', en: 'Gift cards', ru: 'Gift cards' },
        ['团队的 Gift cards，', 'Раздел «Gift cards»'],
      ],
      ['coupons', { zh: '优惠券', en: 'Coupons', ru: 'Купоны' }, ['查看团队的优惠券，', 'Раздел «Купоны»']],
    ] as const) {
      const words = `title: { zh: '${title.zh}', en: '${title.en}', ru: '${title.ru}' }`
      expect(entries).toContain(words)
      expect(read(`src/services/grow/${service}/console/pages.tsx`)).toContain(words)
      const en = `See the ${service.replace('-', ' ')} of your team, and create new ones.`
      const [zh, ru] = texts
      for (const [language, text] of Object.entries({ zh, en, ru })) {
        expect(entries).toContain(text)
        expect(read(`src/services/grow/${service}/console/i18n/${language}.json`)).toContain(text)
      }
    }
  })

  it('is not made twice', () => {
    expect(() =>
      execFileSync(process.execPath, ['tools/new-service.ts', 'grow/gift-cards'], { cwd: copy, stdio: 'pipe' }),
    ).toThrow('is there already')
  })
})

import { describe, expect, it } from 'vitest'
import { librarySplitOf, type PartManifest, planOf, setProblem } from './split-plan.ts'

describe('the splits of resources', () => {
  it('are one a density, where there are two, and one a language with its regions and scripts', () => {
    expect(planOf({ densities: [160, 280], locales: ['de', 'de-AT', 'zh-Hant-TW', 'fil', 'es-419'] })).toEqual([
      { split: 'config.mdpi', density: 160, language: null, configs: ['mdpi'] },
      { split: 'config.280dpi', density: 280, language: null, configs: ['280dpi'] },
      { split: 'config.de_de_rAT', density: null, language: 'de', configs: ['de', 'de-rAT'] },
      { split: 'config.b_zh_Hant_TW', density: null, language: 'zh', configs: ['b+zh+Hant+TW'] },
      { split: 'config.fil', density: null, language: 'fil', configs: ['fil'] },
      { split: 'config.b_es_419', density: null, language: 'es', configs: ['b+es+419'] },
    ])
    expect(librarySplitOf('arm64-v8a')).toBe('config.arm64_v8a')
  })

  it('are none for one density, for what is no language, and for more languages than anybody signs', () => {
    expect(planOf({ densities: [320], locales: ['--split', 'x', 'de_DE;rm'] })).toEqual([])
    const many = Array.from(
      { length: 200 },
      (_, at) => `q${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}`,
    )
    expect(planOf({ densities: [], locales: many })).toEqual([])
  })
})

describe('a set', () => {
  const base: PartManifest = { package: 'a.b', versionCode: '3', split: null, isSplitRequired: true }
  const part = (change: Partial<PartManifest> = {}) => ({
    ...base,
    isSplitRequired: false,
    split: 'config.de',
    ...change,
  })
  it.each<[string, PartManifest[], RegExp | null]>([
    ['of a base and its splits is installed', [base, part(), part({ split: 'config.ru' })], null],
    ['of a base that needs none is installed', [{ ...base, isSplitRequired: false }], null],
    ['without a base is not', [part()], /0 bases/],
    ['with two bases is not', [base, base], /2 bases/],
    ['with a split twice is not', [base, part(), part()], /twice/],
    ['of two versions is not', [base, part({ versionCode: '4' })], /a\.b 4/],
    ['of two packages is not', [base, part({ package: 'a.c' })], /a\.c 3/],
    ['without the splits that its base needs is not', [base], /needs splits/],
  ])('%s', (_says, parts, wanted) => {
    const problem = setProblem(parts)
    if (wanted === null) expect(problem).toBeNull()
    else expect(problem).toMatch(wanted)
  })
})

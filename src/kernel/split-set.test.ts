import { describe, expect, it } from 'vitest'
import { partsFor, type SplitDevice } from './split-set.ts'

const part = (name: string, target: { abi?: string; density?: number; language?: string } = {}) => ({
  name,
  ...{ abi: null, density: null, language: null },
  ...target,
})
const set = [
  part('base'),
  part('mdpi', { density: 160 }),
  part('xxhdpi', { density: 480 }),
  part('xhdpi', { density: 320 }),
  part('de', { language: 'de' }),
  part('zh', { language: 'zh' }),
  part('iw', { language: 'iw' }),
  part('arm', { abi: 'arm64-v8a' }),
  part('x86', { abi: 'x86_64' }),
]
const phone: SplitDevice = { abis: ['arm64-v8a', 'armeabi-v7a'], density: 420, languages: ['de-AT'] }

describe('what a device installs together', () => {
  it.each<[string, Partial<SplitDevice>, string[] | null]>([
    ['its libraries, the next density above its own, its language', {}, ['base', 'xxhdpi', 'de', 'arm']],
    ['its own density where that is there', { density: 320 }, ['base', 'xhdpi', 'de', 'arm']],
    ['the highest where its own is higher', { density: 640 }, ['base', 'xxhdpi', 'de', 'arm']],
    [
      'each language that its people read',
      { languages: ['zh-Hans-CN', 'de', 'fr'] },
      ['base', 'xxhdpi', 'de', 'zh', 'arm'],
    ],
    ['a language by its code of today', { languages: ['he-IL'] }, ['base', 'xxhdpi', 'iw', 'arm']],
    ['no language that nobody wrote', { languages: ['fr'] }, ['base', 'xxhdpi', 'arm']],
    ['the libraries it likes best', { abis: ['x86_64', 'arm64-v8a'] }, ['base', 'xxhdpi', 'de', 'x86']],
    ['nothing without libraries for it', { abis: ['mips'] }, null],
    ['nothing when it does not say its processor', { abis: [] }, null],
  ])('%s', (_says, change, wanted) => {
    expect(partsFor(set, { ...phone, ...change })?.map(one => one.name) ?? null).toEqual(wanted)
  })

  it('is the base alone where nothing else fits, and nothing where there is no set', () => {
    expect(partsFor([part('base'), part('de', { language: 'de' })], { ...phone, languages: [] })).toEqual([
      part('base'),
    ])
    expect(partsFor([], phone)).toBeNull()
  })
})

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { problemOf, problemSentences } from './rules.ts'

const valuesOf = (text: string, brackets: RegExp) => [...text.matchAll(brackets)].map(([, name]) => name).sort()

it.each(['zh', 'en', 'ru'])('the console says every problem in %s, with the values of the sentence', language => {
  const texts = JSON.parse(readFileSync(new URL(`../console/i18n/${language}.json`, import.meta.url), 'utf8'))
  const why = texts.errors.why as Record<string, string>
  expect(Object.keys(why).sort()).toEqual(Object.keys(problemSentences).sort())
  for (const [name, sentence] of Object.entries(problemSentences))
    expect([name, valuesOf(why[name] ?? '', /\{\{(\w+)\}\}/g)]).toEqual([name, valuesOf(sentence, /\{(\w+)\}/g)])
})

it('has the values beside its sentence', () => {
  expect(problemOf('bomb', { name: 'a.bin', limit: 100 })).toEqual({
    ...{ why: 'bomb', name: 'a.bin', limit: 100 },
    problem: 'a.bin grows more than 100 times',
  })
})

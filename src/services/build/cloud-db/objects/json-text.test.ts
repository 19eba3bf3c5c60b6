import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonText } from './json-text.ts'

const aUnit = fc.oneof(
  fc.constantFrom('"', '\\', '\n', '\u0000', '\u001f', '\u007f', '\u2028', '\ud800', '😀', '中', 'ÿ', 'Ā', 'a'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
)
const aText = fc.oneof(
  fc.array(aUnit, { maxLength: 12 }).map(units => units.join('')),
  fc.integer({ min: 120, max: 135 }).map(length => 'x'.repeat(length)),
)

it('is what JSON.stringify makes of the same texts, whatever they are and however many', () => {
  fc.assert(
    fc.property(fc.array(aText, { maxLength: 40 }), fc.constantFrom(1, 30), (some, times) => {
      const texts = Array.from({ length: times }, () => some).flat()
      const written = new JsonText()
      written.json('[')
      for (const [at, text] of texts.entries()) {
        if (at > 0) written.json(',')
        if (at % 2 === 0) written.string(text)
        else written.json(JSON.stringify(text))
      }
      written.json(']')
      const expected = JSON.stringify(texts)
      expect(written.length).toBe(expected.length)
      expect(written.toString()).toBe(expected)
    }),
    { numRuns: 500 },
  )
})

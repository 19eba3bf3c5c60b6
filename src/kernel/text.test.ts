import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emojiIn, encodeHtml, fileSize, fileSizeText, keptText } from './text.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** Any units, halves of pairs as well, with the signs that matter often among them. */
const unit = fc.oneof(
  fc.nat(0xffff).map(code => String.fromCharCode(code)),
  fc.constantFrom(...'&<> \'"😀'),
)
const anyText = fc.string({ unit })

describe('a text that is kept', () => {
  it.each([
    ['as it was', 'as it was'],
    ['a\0b', 'a\ufffdb'],
    ['\ud83d😀\ude00', '\ufffd😀\ufffd'],
    ['', ''],
  ])('%j is %j', (text, kept) => {
    expect(keptText(text)).toBe(kept)
  })

  it('has no null byte and no half of a sign, and is as long as it was', () => {
    fc.assert(
      fc.property(anyText, text => {
        const kept = keptText(text)
        expect(kept.length).toBe(text.length)
        expect(kept.isWellFormed() && !kept.includes('\0')).toBe(true)
      }),
    )
  })
})

describe('a file size', () => {
  it.each([
    [0, '0.00 KB'],
    [1, '0.00 KB'],
    [1023, '1.00 KB'],
    [1024, '1.00 KB'],
    [1536, '1.50 KB'],
    [MiB - 1, '1024.00 KB'],
    [MiB, '1.00 MB'],
    [MiB + 1, '1.00 MB'],
    [GiB - MiB, '1023.00 MB'],
    [GiB - 1, '1024.00 MB'],
    [GiB, '1.00 GB'],
    [1.5 * GiB, '1.50 GB'],
    [5000 * GiB, '5000.00 GB'],
  ])('below 1 MiB is in KB, below 1 GiB in MB, otherwise in GB, base 1024 with two decimals: %d is %s', (size, text) =>
    expect(fileSizeText(size)).toBe(text),
  )

  it('is never shown in a unit that is too small or too large for it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 50 }), size => {
        const { value, unit } = fileSize(size)
        const bytes = { KB: 1024, MB: MiB, GB: GiB }[unit]
        expect(value * bytes).toBeCloseTo(size, 0)
        expect(unit === 'GB' || value < 1024).toBe(true)
        expect(unit === 'KB' || value >= 1).toBe(true)
      }),
    )
  })
})

describe('the emoji filter', () => {
  it.each([
    ['', 0],
    ['plain text 123 © ™', 0],
    ['Fun 🎉', 1],
    ['❤️ and 🌶', 1],
    ['👨‍👩‍👧', 3],
    ['🇨🇳', 2],
    ['\uD83D', 0],
    ['\uDE00', 0],
    ['\uDE00\uD83D', 0],
    ['\uD83D\uD83D\uDE00', 1],
    ['\uD83D\uDE00\uDE00', 1],
    ['\uD83Dx\uDE00', 0],
    ['𠮷野家', 1],
  ])('finds surrogate pairs and returns their count: %j has %i', (value, count) =>
    expect(emojiIn(value).count).toBe(count),
  )

  it.each([
    [0, 0],
    [1, 1],
    [9, 9],
    [10, 10],
    [11, 10],
    [12, 10],
    [500, 10],
  ])('makes a placeholder of at most the first 10 matches: of %i it shows %i', (count, shown) =>
    expect(emojiIn('a😀'.repeat(count))).toEqual({ count, shown: Array(shown).fill('😀').join(' ') }),
  )

  it('never cuts a pair in half, whatever stands around it', () => {
    fc.assert(
      fc.property(anyText, value => {
        const { count, shown } = emojiIn(value)
        expect(shown.isWellFormed()).toBe(true)
        expect(count).toBe([...value].filter(one => one.length === 2).length)
      }),
    )
  })
})

describe('HTML encoding', () => {
  it.each([
    ['', ''],
    ['&', '&#38;'],
    ['<', '&#60;'],
    ['>', '&#62;'],
    [' ', '&#32;'],
    ["'", '&#39;'],
    ['"', '&#34;'],
    ['a', 'a'],
    ['&amp;', '&#38;amp;'],
    ['<img src=x onerror="alert(\'1\')">', '&#60;img&#32;src=x&#32;onerror=&#34;alert(&#39;1&#39;)&#34;&#62;'],
  ])('escapes &, <, >, space, single quote and double quote: %j is %j', (value, html) =>
    expect(encodeHtml(value)).toBe(html),
  )

  it('leaves none of the six and reads back as what it was', () => {
    fc.assert(
      fc.property(anyText, value => {
        const html = encodeHtml(value)
        expect(html).not.toMatch(/[<> '"]|&(?!#\d\d;)/)
        expect(html.replace(/&#(\d\d);/g, (_whole, code) => String.fromCharCode(code))).toBe(value)
      }),
    )
  })
})

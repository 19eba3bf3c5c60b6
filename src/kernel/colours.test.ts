import { describe, expect, it } from 'vitest'
import { contrastOf, hexOf, paletteOf, rgbOf, textColourOn } from './colours.ts'

const pixels = (...parts: [colour: string, count: number][]) =>
  Uint8Array.from(parts.flatMap(([colour, count]) => Array.from({ length: count }, () => rgbOf(colour)).flat()))

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.47],
    ['#767676', '#ffffff', 4.54],
    ['#0000ff', '#ffffff', 8.59],
  ])('of %s and %s is %d, as WCAG 2.2 counts it, whichever comes first', (one, other, contrast) => {
    expect([contrastOf(one, other), contrastOf(other, one)]).toEqual([contrast, contrast])
  })

  it.each([
    ['#000000', '#ffffff'],
    ['#ffffff', '#000000'],
    ['#ffcc00', '#000000'],
    ['#1a237e', '#ffffff'],
  ])('makes the text on %s %s', (colour, text) => expect(textColourOn(colour)).toBe(text))

  it('of the text that is chosen is enough on every grey', () => {
    for (let grey = 0; grey < 256; grey++) {
      const colour = hexOf([grey, grey, grey])
      expect(contrastOf(colour, textColourOn(colour))).toBeGreaterThanOrEqual(4.5)
    }
  })
})

describe('the palette', () => {
  it('has the colours of the pixels with their shares, the most frequent first', () => {
    const found = paletteOf(pixels(['#ff0000', 60], ['#00ff00', 30], ['#0000ff', 10]), 5)
    expect(found).toEqual([
      { color: '#ff0000', shareBp: 6000 },
      { color: '#00ff00', shareBp: 3000 },
      { color: '#0000ff', shareBp: 1000 },
    ])
  })

  it('brings together what hardly differs', () => {
    const found = paletteOf(pixels(['#102030', 50], ['#112131', 50], ['#f0e0d0', 40], ['#f1e1d1', 60]), 2)
    expect(found.map(one => one.shareBp)).toEqual([5000, 5000])
  })

  it('is the same for the same pixels, and has no more colours than asked for', () => {
    const noise = Uint8Array.from({ length: 64 * 64 * 3 }, (_one, at) => (at * 7919) % 256)
    const found = paletteOf(noise, 5)
    expect(found.length).toBeLessThanOrEqual(5)
    expect(paletteOf(noise, 5)).toEqual(found)
    expect(found.reduce((all, one) => all + one.shareBp, 0)).toBeGreaterThan(9990)
  })

  it('of nothing is empty', () => expect(paletteOf(new Uint8Array(), 5)).toEqual([]))
})

import { describe, expect, it } from 'vitest'
import { iconRuleOf, imageMisfit, screenshotRuleOf } from './rules.ts'

const MB = 1024 ** 2
const image = (width: number, height: number, mime = 'image/png', sizeBytes = 1000) => ({
  width,
  height,
  mime,
  sizeBytes,
})

describe('listing images', () => {
  it.each([
    ['icon 216', iconRuleOf('ANDROID'), image(216, 216), true],
    ['icon 1024', iconRuleOf('ANDROID'), image(1024, 1024), true],
    ['icon 512', iconRuleOf('ANDROID'), image(512, 512), false],
    ['icon as JPEG', iconRuleOf('ANDROID'), image(216, 216, 'image/jpeg'), false],
    ['icon of more than 3 MB', iconRuleOf('ANDROID'), image(1024, 1024, 'image/png', 3 * MB + 1), false],
    ['icon as WEBP of 100 KB', iconRuleOf('ANDROID'), image(216, 216, 'image/webp', 102_400), true],
    ['icon as WEBP of more', iconRuleOf('ANDROID'), image(216, 216, 'image/webp', 102_401), false],
    ['icon of an atomic service at 1024', iconRuleOf('ATOMIC_SERVICE'), image(1024, 1024), false],
    ['phone portrait', screenshotRuleOf(4), image(720, 1280), true],
    ['phone landscape', screenshotRuleOf(4), image(1280, 720, 'image/jpeg', 5 * MB), true],
    ['phone turned by one pixel', screenshotRuleOf(4), image(721, 1280), false],
    ['computer portrait', screenshotRuleOf(6), image(720, 1280), false],
    ['television full HD', screenshotRuleOf(7), image(1920, 1080), true],
    ['watch', screenshotRuleOf(8), image(840, 840), true],
    ['not an image', screenshotRuleOf(4), { width: null, height: null, mime: 'text/plain', sizeBytes: 1 }, false],
  ])('%s', (_, rule, facts, fits) => expect(imageMisfit(rule, facts) === null).toBe(fits))

  it('says what is expected and what is there', () => {
    expect(imageMisfit(iconRuleOf('ANDROID'), image(512, 512))).toEqual({
      expected: '216x216 or 1024x1024',
      actual: '512x512',
    })
  })
})

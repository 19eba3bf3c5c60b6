export const textLimits = { appName: 64, briefInfo: 80, appDesc: 8000, newFeatures: 500 } as const

const KB = 1024
const MB = 1024 * KB

export interface ImageRule {
  sizes: readonly (readonly [width: number, height: number])[]
  /** Most bytes by type; a type that is not here is refused. */
  maxBytes: Readonly<Record<string, number>>
}

export interface ScreenshotRule extends ImageRule {
  min: number
  max: number
}

const iconRule: ImageRule = {
  sizes: [
    [216, 216],
    [1024, 1024],
  ],
  maxBytes: { 'image/png': 3 * MB, 'image/webp': 100 * KB },
}

const atomicServiceIconRule: ImageRule = { sizes: [[216, 216]], maxBytes: { 'image/png': 500 * KB } }

export function iconRuleOf(packageType: string): ImageRule {
  return packageType === 'ATOMIC_SERVICE' ? atomicServiceIconRule : iconRule
}

const smallScreens: ScreenshotRule = {
  min: 3,
  max: 5,
  sizes: [
    [720, 1280],
    [1280, 720],
  ],
  maxBytes: { 'image/png': 5 * MB, 'image/jpeg': 5 * MB, 'image/webp': 200 * KB },
}
const twoMegabytes = { 'image/png': 2 * MB, 'image/jpeg': 2 * MB, 'image/webp': 200 * KB }

/** By device type: 4 phone, 5 tablet, 6 computer, 7 television, 8 watch, 9 car (distribution.md 3.2). */
const screenshotRules: Readonly<Record<number, ScreenshotRule>> = {
  4: smallScreens,
  5: smallScreens,
  6: { ...smallScreens, sizes: [[1280, 720]] },
  7: {
    min: 5,
    max: 8,
    sizes: [
      [1920, 1080],
      [1280, 720],
    ],
    maxBytes: twoMegabytes,
  },
  8: { min: 4, max: 8, sizes: [[840, 840]], maxBytes: twoMegabytes },
  9: smallScreens,
}

export function screenshotRuleOf(deviceType: number): ScreenshotRule {
  return screenshotRules[deviceType] ?? smallScreens
}

/** What is shown before a film begins. */
export const filmCoverRule: ImageRule = {
  sizes: [...smallScreens.sizes, [1920, 1080], [1080, 1920]],
  maxBytes: smallScreens.maxBytes,
}
export const filmMime = 'video/mp4'
export const filmMaxBytes = 500 * MB

export interface ImageFacts {
  mime: string
  sizeBytes: number
  width: number | null
  height: number | null
}

/** What is wrong with an image, expected and actual in words; null when it fits. */
export function imageMisfit(rule: ImageRule, image: ImageFacts): { expected: string; actual: string } | null {
  const most = rule.maxBytes[image.mime]
  if (most === undefined) return { expected: Object.keys(rule.maxBytes).join(' or '), actual: image.mime }
  if (!rule.sizes.some(([width, height]) => image.width === width && image.height === height)) {
    return {
      expected: rule.sizes.map(([width, height]) => `${width}x${height}`).join(' or '),
      actual: `${image.width ?? '?'}x${image.height ?? '?'}`,
    }
  }
  if (image.sizeBytes > most) return { expected: `at most ${most} bytes`, actual: `${image.sizeBytes} bytes` }
  return null
}

/** A name as it is compared: NFKC, lower case, blanks collapsed. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Words no app may carry in its name: they say it is the store's own. */
const blockedWords: readonly string[] = ['loggia official', 'loggia store', 'loggia pay', 'loggia support']

export function blockedWordIn(name: string): string | null {
  const key = nameKey(name)
  return blockedWords.find(word => key.includes(word)) ?? null
}

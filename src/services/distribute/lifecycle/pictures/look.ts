import type { Level } from '../rules.ts'

export interface PictureFacts {
  width: number
  height: number
  format: string
  isAnimated: boolean
  /** How much the picture varies, 0 for one colour; over all channels. */
  deviation: number
  /** How much of a sharp edge it has: a blurred or enlarged one has little. */
  sharpness: number
  /** Difference hash, 64 bits as a signed decimal; null where there is too little in it to tell it from others. */
  hash: string | null
}

const mostPixels = 40_000_000
const hashWidth = 9
const hashHeight = 8
/** With fewer or more edges than this, strangers have the same hash. */
const fewestBits = 6
const blankBelow = 2
const flatBelow = 8
const smallestSide = 216
/** Hashes of one picture, saved anew or made smaller, differ in no more bits. */
export const nearBits = 5

/** Decodes a picture to its last pixel; null when it cannot be read. */
export async function lookAt(path: string): Promise<PictureFacts | null> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  const options = { limitInputPixels: mostPixels, failOn: 'error' } as const
  try {
    const { width, height, format, pages = 1 } = await sharp(path, options).metadata()
    const { channels, sharpness } = await sharp(path, options).flatten({ background: '#ffffff' }).stats()
    const pixels = await sharp(path, options)
      .flatten({ background: '#ffffff' })
      .greyscale()
      .resize(hashWidth, hashHeight, { fit: 'fill' })
      .raw()
      .toBuffer()
    const deviation = Math.max(...channels.map(channel => channel.stdev))
    return { width, height, format: format ?? '', isAnimated: pages > 1, deviation, sharpness, hash: hashOf(pixels) }
  } catch {
    return null
  }
}

/** One bit a pixel: whether the next to its right is brighter. */
export function hashOf(pixels: Uint8Array): string | null {
  let hash = 0n
  let ones = 0
  for (let row = 0; row < hashHeight; row++) {
    for (let column = 0; column < hashWidth - 1; column++) {
      const at = row * hashWidth + column
      const isBrighter = (pixels[at + 1] ?? 0) > (pixels[at] ?? 0) + 1
      hash = (hash << 1n) | (isBrighter ? 1n : 0n)
      if (isBrighter) ones++
    }
  }
  return ones < fewestBits || ones > 64 - fewestBits ? null : String(BigInt.asIntN(64, hash))
}

/** What a picture by itself is objected to. */
export function pictureHits(facts: PictureFacts | null): { rule: string; level: Level; seen: string }[] {
  if (!facts) return [{ rule: 'picture.unreadable', level: 'BLOCK', seen: '' }]
  const { width, height, deviation, isAnimated } = facts
  const size = `${width}×${height}`
  const hits: { rule: string; level: Level; seen: string }[] = []
  if (deviation < blankBelow) hits.push({ rule: 'picture.blank', level: 'BLOCK', seen: deviation.toFixed(1) })
  else if (deviation < flatBelow) hits.push({ rule: 'picture.flat', level: 'WARN', seen: deviation.toFixed(1) })
  if (Math.min(width, height) < smallestSide) hits.push({ rule: 'picture.small', level: 'WARN', seen: size })
  if (Math.max(width, height) > 4 * Math.min(width, height))
    hits.push({ rule: 'picture.narrow', level: 'WARN', seen: size })
  if (isAnimated) hits.push({ rule: 'picture.animated', level: 'WARN', seen: size })
  return hits
}

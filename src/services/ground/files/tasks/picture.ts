import { fileLimits } from '../rules.ts'

export interface PictureFacts {
  width: number
  height: number
  isAnimated: boolean
  hasExif: boolean
}

/** Decodes a picture to its last pixel. Throws when it cannot be decoded or has more pixels than are taken. */
export async function readPicture(path: string): Promise<PictureFacts> {
  const sharp = await loadSharp()
  const options = { limitInputPixels: fileLimits.maxPixels, failOn: 'error' } as const
  const { width, height, pages = 1, exif } = await sharp(path, options).metadata()
  await sharp(path, options).stats()
  return { width, height, isAnimated: pages > 1, hasExif: exif !== undefined }
}

/** Loaded when the first picture comes: the library takes 30 MB, and many servers never see one. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

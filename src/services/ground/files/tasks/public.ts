import pLimit from 'p-limit'
import type { Context } from '../../../../server/context.ts'
import { localObject } from '../public.ts'
import { fileLimits } from '../rules.ts'
import { loadSharp } from './picture.ts'

/** A large picture takes a core for half a second; more at once would starve the calls. */
const atWork = pLimit(2)

/**
 * The picture shrunk to `side` pixels each way, upright and over white: three bytes a pixel, red, green, blue, as the picture has them and none in between. Null where
 * the bytes are no picture that can be decoded. For calls without a transaction of their own. Refuses 404.
 */
export async function pixelsOf(ctx: Context, objectId: string, side: number): Promise<Uint8Array | null> {
  const file = await ctx.transact(inner => localObject(inner, objectId))
  try {
    const sharp = await loadSharp()
    return await atWork(() =>
      sharp(file.path, { limitInputPixels: fileLimits.maxPixels, failOn: 'error' })
        .rotate()
        .resize(side, side, { fit: 'fill', kernel: 'nearest' })
        .flatten({ background: '#ffffff' })
        .toColourspace('srgb')
        .raw()
        .toBuffer()
        .catch(() => null),
    )
  } finally {
    await file.release()
  }
}

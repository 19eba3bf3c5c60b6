import { eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { immersivePictures, type PassedPicture } from './tables.ts'

export type { PassedPicture } from './tables.ts'

/** The large picture of an app that the store passed and shows; null while there is none. */
export async function passedPictureOf(ctx: Context, appId: string): Promise<PassedPicture | null> {
  const [row] = await ctx.db
    .select({ passed: immersivePictures.passed })
    .from(immersivePictures)
    .where(eq(immersivePictures.appId, appId))
  return row?.passed ?? null
}

import { contrastOf, paletteOf, textColourOn } from '../../../../kernel/colours.ts'
import type { Input } from '../../../../kernel/contract.ts'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { holdObjects, objectOf, releaseObjects, type StoredObject } from '../../../ground/files/public.ts'
import { pixelsOf } from '../../../ground/files/tasks/public.ts'
import { type AppRow, appOf, lockApp } from '../../apps/public.ts'
import { toImmersive, toPalette } from './answer.ts'
import { errors, immersive, immersiveV2 } from './contract.ts'
import { movePicture, type PictureRecord, pictureForChange, pictureOf } from './rows.ts'
import { pictureLimits, pictureMisfit } from './rules.ts'

type Wish = Input<(typeof immersive.calls)['setImmersive']>['body']

const handlers: Handlers<typeof immersive> = {
  getColours: async (ctx, { body }) => {
    const object = await ctx.transact(inner => objectOf(inner, body.objectId))
    const colours = await coloursOf(ctx, object)
    const { objectId, width, height } = object
    const textColor = textColourOn(colours.dominantColor)
    const contrast = contrastOf(colours.dominantColor, textColor)
    return { objectId, width, height, ...colours, palette: toPalette(colours.palette), textColor, contrast }
  },

  getImmersive: async (ctx, { query }) => toImmersive(ctx, await pictureOf(ctx, await appOf(ctx, query.appId))),

  setImmersive: async (ctx, { body }) => {
    const before = await ctx.transact(async inner => pictureOf(inner, await appOf(inner, body.appId)))
    const chosen = body.objectId === null ? noPicture : await chosenOf(ctx, before, body, body.objectId)
    return ctx.transact(async inner => {
      const app = await lockApp(inner, body.appId)
      return toImmersive(inner, await choose(inner, app, chosen))
    })
  },

  submitImmersive: async (ctx, { body }) => {
    const app = await lockApp(ctx, body.appId)
    const row = await pictureForChange(ctx, app)
    const set = { submittedBy: ctx.accountId, submittedAt: ctx.now(), note: null, decidedAt: null, decidedBy: null }
    return toImmersive(ctx, await movePicture(ctx, row, 'submit', { set }))
  },
}

export default implement(immersive, handlers)
export const secondGeneration = implement(immersiveV2, handlers)

type Chosen = Pick<PictureRecord, 'objectId' | 'width' | 'height' | 'palette' | 'dominantColor' | 'textColor'>

const noPicture: Chosen = {
  objectId: null,
  width: null,
  height: null,
  palette: [],
  dominantColor: null,
  textColor: null,
}

/** The picture and its colours, checked; what is not said is found in the picture. */
async function chosenOf(ctx: Context, before: PictureRecord, wish: Wish, objectId: string): Promise<Chosen> {
  const object = await ctx.transact(inner => objectOf(inner, objectId))
  const misfit = pictureMisfit(object)
  if (misfit) refuse(errors.pictureMisfit, { fileName: object.fileName, ...misfit })
  const isSame = before.objectId === objectId && before.palette.length > 0
  const { palette } = isSame ? before : await coloursOf(ctx, object)
  const dominantColor = wish.dominantColor ?? palette[0]?.color ?? '#ffffff'
  const textColor = wish.textColor ?? textColourOn(dominantColor)
  const contrast = contrastOf(dominantColor, textColor)
  if (contrast < pictureLimits.leastContrast) {
    const better = textColourOn(dominantColor)
    refuse(errors.lowContrast, { textColor, dominantColor, contrast, least: pictureLimits.leastContrast, better })
  }
  const { width, height } = object
  return { objectId, width, height, palette, dominantColor, textColor }
}

async function coloursOf(ctx: Context, { objectId, fileName }: StoredObject) {
  const pixels = await pixelsOf(ctx, objectId, pictureLimits.sampleSide)
  if (!pixels) refuse(errors.notDecoded, { fileName })
  const [first, ...others] = paletteOf(pixels, pictureLimits.colours)
  const palette = first ? [first, ...others.filter(one => one.shareBp >= pictureLimits.leastShareBp)] : []
  return { palette, dominantColor: palette[0]?.color ?? '#ffffff' }
}

/** Puts the choice into the draft and counts its references; without a picture what was passed goes too. */
async function choose(ctx: Context, app: AppRow, chosen: Chosen): Promise<PictureRecord> {
  const row = await pictureForChange(ctx, app)
  const { objectId } = chosen
  const isRemoved = objectId === null
  const after = await movePicture(ctx, row, 'edit', {
    set: { ...chosen, note: null, ...(isRemoved ? { passed: null } : {}) },
    note: { objectId },
  })
  if (objectId !== null && objectId !== row.objectId) await holdObjects(ctx, [objectId], app)
  const left = row.objectId !== objectId && row.objectId !== null ? [row.objectId] : []
  if (isRemoved && row.passed) left.push(row.passed.objectId)
  if (left.length > 0) await releaseObjects(ctx, left)
  return after
}

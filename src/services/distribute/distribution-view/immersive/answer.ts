import { contrastOf, textColourOn } from '../../../../kernel/colours.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { downloadUrlOf } from '../../../ground/files/public.ts'
import type { StoredColour } from '../tables.ts'
import type { Immersive } from './contract.ts'
import type { PictureRecord } from './rows.ts'
import { immersiveCycle } from './rules.ts'

/** A picture as the wire has it, with addresses to look at it and what the caller may do. */
export function toImmersive(ctx: Context, row: PictureRecord): Static<typeof Immersive> {
  const { objectId, dominantColor, textColor, passed } = row
  const urlOf = (id: string) => downloadUrlOf(ctx, id, { picture: '1024' })
  const facts = { hasPicture: objectId !== null, isImpartial: true, hasNote: true }
  return {
    ...row,
    pictureUrl: objectId === null ? null : urlOf(objectId),
    palette: toPalette(row.palette),
    contrast: dominantColor === null || textColor === null ? null : contrastOf(dominantColor, textColor),
    passed: passed && { ...passed, pictureUrl: urlOf(passed.objectId) },
    allowedActions: allowedActions(immersiveCycle, row.state, permission => ctx.may(permission), facts),
  }
}

/** Colours with their shares in percent and the text that is read on each. */
export function toPalette(palette: readonly StoredColour[]) {
  return palette.map(({ color, shareBp }) => {
    const textColor = textColourOn(color)
    return { color, share: shareBp / 100, textColor, contrast: contrastOf(color, textColor) }
  })
}

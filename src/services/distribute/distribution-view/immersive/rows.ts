import { and, eq, type SQL } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import type { AppRow } from '../../apps/public.ts'
import { immersivePictures } from '../tables.ts'
import { errors } from './contract.ts'
import { type ImmersiveAction, type ImmersiveFact, immersiveCycle } from './rules.ts'

export type PictureRecord = typeof immersivePictures.$inferSelect

const ofApp = ({ appId, teamId }: Pick<AppRow, 'appId' | 'teamId'>): SQL | undefined =>
  and(eq(immersivePictures.appId, appId), eq(immersivePictures.teamId, teamId))

/** The picture of an app; an empty draft where none was chosen yet. The caller has checked that the app is his. */
export async function pictureOf(ctx: Context, app: Pick<AppRow, 'appId' | 'teamId'>): Promise<PictureRecord> {
  const [row] = await ctx.db.select().from(immersivePictures).where(ofApp(app))
  return row ?? { ...emptyPicture(ctx, app), ...nothingYet }
}

const nothingYet = {
  objectId: null,
  width: null,
  height: null,
  palette: [],
  dominantColor: null,
  textColor: null,
  passed: null,
  note: null,
  submittedBy: null,
  submittedAt: null,
  decidedBy: null,
  decidedAt: null,
  revision: 1,
} satisfies Partial<PictureRecord>

function emptyPicture(ctx: Context, { appId, teamId }: Pick<AppRow, 'appId' | 'teamId'>) {
  return { appId, teamId, state: 'DRAFT' as const, createdAt: ctx.now(), updatedAt: ctx.now() }
}

/** The same to be changed; the app must be locked. Made where it was not there. */
export async function pictureForChange(ctx: Context, app: Pick<AppRow, 'appId' | 'teamId'>): Promise<PictureRecord> {
  await ctx.db.insert(immersivePictures).values(emptyPicture(ctx, app)).onConflictDoNothing()
  const [row] = await ctx.db.select().from(immersivePictures).where(ofApp(app)).for('update')
  return row!
}

interface Options {
  facts?: Partial<Record<ImmersiveFact, boolean>>
  unmet?: (fact: ImmersiveFact) => never
  set: Partial<PictureRecord>
  note?: Record<string, unknown>
}

/** Moves a picture by its life cycle and writes what changes with it. */
export async function movePicture(
  ctx: Context,
  row: PictureRecord,
  action: ImmersiveAction,
  { facts, unmet, set, note }: Options,
): Promise<PictureRecord> {
  const { appId, teamId, state, revision } = row
  await transition(ctx, {
    cycle: immersiveCycle,
    table: 'immersive_pictures',
    idColumn: 'app_id',
    row: { id: appId, state, revision },
    action,
    facts: { hasPicture: row.objectId !== null, isImpartial: true, hasNote: true, ...facts },
    unmet: fact => {
      if (fact === 'hasPicture') refuse(errors.noPicture)
      return unmet?.(fact) as never
    },
    teamId,
    data: { appId },
    ...(note ? { note } : {}),
  })
  const [moved] = await ctx.db.update(immersivePictures).set(set).where(eq(immersivePictures.appId, appId)).returning()
  return moved!
}

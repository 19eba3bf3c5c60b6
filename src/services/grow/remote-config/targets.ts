import { eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { placeOf, rowOf, type Where } from './drafts.ts'
import { payloadProblems } from './payload.ts'
import { emptyTemplate, type Template } from './rules.ts'
import { systemAttributes } from './settings/attributes.data.ts'
import { rcsSettings } from './tables.ts'
import { contentOfVersion } from './versions.ts'

/** A parameter in force, as experiments see it. */
export interface Target {
  key: string
  valueType: string
  /** Null for what the app itself has. */
  value: string | null
  description: string
}

async function inForce(ctx: Context, where: Where): Promise<Template> {
  const place = await placeOf(ctx, where)
  const row = await rowOf(ctx, place)
  return row && row.version > 0 ? contentOfVersion(ctx, place, row.version) : emptyTemplate()
}

/** The parameters in force, by key. */
export async function targetsIn(ctx: Context, where: Where): Promise<Target[]> {
  const { parameters } = await inForce(ctx, where)
  return Object.entries(parameters)
    .map(([key, { valueType, default: fallback, description }]) => ({
      ...{ key, valueType, description },
      value: 'value' in fallback ? fallback.value : null,
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** What keeps the values of variants from being given out. */
export async function payloadFaultsIn(
  ctx: Context,
  where: Where,
  payloads: readonly Readonly<Record<string, string>>[],
): Promise<{ pointer: string; message: string }[]> {
  const { parameters } = await inForce(ctx, where)
  return payloads.flatMap((payload, at) =>
    payloadProblems(parameters, payload).map(({ pointer, message }) => ({
      pointer: `/variants/${at}/payload${pointer}`,
      message,
    })),
  )
}

/** What rules of a project can ask of. */
export async function attributesIn(ctx: Context, projectId: string) {
  const place = await placeOf(ctx, { projectId, kind: 'client' })
  const [row] = await ctx.db.select().from(rcsSettings).where(eq(rcsSettings.projectId, place.projectId))
  return [
    ...systemAttributes.map(({ name, type }) => ({ name, type, isOwn: false })),
    ...(row?.attributes ?? []).map(({ name, type }) => ({ name, type, isOwn: true })),
  ]
}

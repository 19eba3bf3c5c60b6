import type { Context } from '../../../server/context.ts'
import type { Event } from '../../../server/work.ts'
import { listings, versions } from './tables.ts'

interface DemoDue {
  appId: string
  defaultLang: string
  name: string
  versionIds: [string, string]
}

const day = 86_400_000

/** The versions of a demo app: one on shelf for two weeks and the one before it. */
export async function makeDemoVersions(ctx: Context, event: Event): Promise<void> {
  const { appId, defaultLang, name, versionIds } = event.data as unknown as DemoDue
  const [before, now] = versionIds
  const teamId = event.teamId ?? '0'
  const at = event.at
  const base = { teamId, appId, countries: [], findings: [], createdAt: at, updatedAt: at }
  await ctx.db
    .insert(versions)
    .values([
      {
        ...base,
        versionId: before,
        versionCode: '11',
        versionName: '1.1',
        state: 'SUPERSEDED',
        onShelfAt: at - 30 * day,
        offShelfAt: at - 14 * day,
        supersededBy: now,
      },
      {
        ...base,
        versionId: now,
        isFirst: false,
        versionCode: '12',
        versionName: '1.2',
        state: 'ON_SHELF',
        onShelfAt: at - 14 * day,
      },
    ])
    .onConflictDoNothing()
  const words = { lang: defaultLang, teamId, appName: name, screenshots: [], updatedAt: at }
  await ctx.db
    .insert(listings)
    .values(versionIds.map(versionId => ({ ...words, versionId })))
    .onConflictDoNothing()
}

import { eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Work } from '../../../server/work.ts'
import { releaseObjects } from '../../ground/files/public.ts'
import { materialCounts, materialDevices, materialTests, materialVariants } from './tables.ts'
import { settleAll, settleOrWait, settleTestsOf } from './tests/course.ts'
import { filmJob } from './tests/films.ts'
import { objectIdsOf } from './tests/materials.ts'
import { testNotices } from './tests/notices.ts'

const ofApp = 'test_id IN (SELECT test_id FROM material_tests WHERE app_id = ANY($1::bigint[]))'

export default {
  handover: {
    rows: [
      { table: 'material_devices', by: ofApp },
      { table: 'material_tests', files: ['control'] },
      { table: 'material_variants', files: ['materials'] },
      { table: 'material_counts' },
    ],
  },
  jobs: [filmJob],
  listeners: [
    testNotices,
    {
      name: 'material.begin',
      on: ['material.approved'],
      run: (ctx, event) => settleOrWait(ctx, event.entityId),
    },
    {
      name: 'material.shelf',
      on: ['version.on_shelf', 'version.off_shelf', 'version.forced_off', 'version.rolled_back'],
      run: (ctx, event) => settleTestsOf(ctx, String(event.data['appId'])),
    },
    { name: 'material.freeze', on: ['app.frozen'], run: (ctx, event) => settleTestsOf(ctx, event.entityId) },
    { name: 'material.purge', on: ['app.purged'], run: (ctx, event) => purge(ctx, event.entityId) },
  ],
  sweeps: [{ name: 'material.tests', every: '7,37 * * * * *', database: 'zone', run: settleAll }],
} satisfies Work

async function purge(ctx: Context, appId: string): Promise<void> {
  const tests = await ctx.db.delete(materialTests).where(eq(materialTests.appId, appId)).returning()
  const variants = await ctx.db.delete(materialVariants).where(eq(materialVariants.appId, appId)).returning()
  await ctx.db.delete(materialCounts).where(eq(materialCounts.appId, appId))
  for (const { testId } of tests) await ctx.db.delete(materialDevices).where(eq(materialDevices.testId, testId))
  const held = [...tests.map(one => one.control), ...variants.map(one => one.materials)].flatMap(objectIdsOf)
  if (held.length > 0) await releaseObjects(ctx, held)
}

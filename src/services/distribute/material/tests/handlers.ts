import { and, desc, eq, ilike, lt, ne } from 'drizzle-orm'
import { wholeBasisPoints } from '../../../../kernel/bucketing.ts'
import type { Input } from '../../../../kernel/contract.ts'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { type AppRow, appOf, lockApp } from '../../apps/public.ts'
import { applyMaterials, exchangeObjects } from '../../versions/listing/public.ts'
import { materialTests, materialVariants } from '../tables.ts'
import { toPage, toTestAlone, toTests, toVariant } from './answer.ts'
import { materialTests as contract, harmonyMaterialTests } from './contract.ts'
import { daysOf } from './counting.ts'
import { countNow, keepControl, settleTest, startTest } from './course.ts'
import { objectIdsOf } from './materials.ts'
import { plannedPerArm } from './numbers.ts'
import { notFilled, notLive, notValid } from './objections.ts'
import { exportReport, reportOf } from './report.ts'
import {
  loadTest,
  loadVariant,
  lockTest,
  moveTest,
  myTests,
  type TestRecord,
  type VariantRecord,
  variantsOf,
} from './rows.ts'
import { evenShares, harmonyTypes, limits } from './rules.ts'
import { addVariant, changeVariant, removeVariant } from './variants.ts'

const { errors } = contract
const dayMs = 86_400_000
const shownDays = 14

type Handled = Handlers<typeof contract>
type Settings = Partial<Input<(typeof contract.calls)['createTest']>['body']> & { controlShare?: number }

const face: Handled = {
  getTest: async (ctx, { query }) => toPage(ctx, await loadTest(ctx, query.testId)),

  createTest: async (ctx, { body }) => {
    const app = await lockApp(ctx, body.appId)
    notLive(app)?.()
    const limit = limits.testsOfApp
    const ofApp = and(eq(materialTests.appId, app.appId), ne(materialTests.state, 'DELETED'))
    if ((await ctx.db.$count(materialTests, ofApp)) >= limit) refuse(errors.tooManyTests, { limit })
    const now = ctx.now()
    const row = {
      ...defaults,
      ...settingsOf(body),
      testId: ctx.newId(),
      appId: app.appId,
      teamId: app.teamId,
      name: body.name.trim(),
      elements: body.elements,
      langs: body.langs,
      trafficPercent: body.trafficPercent,
      startMode: body.startMode ?? ('MANUAL' as const),
      startAt: startAtOf(ctx, body.startMode, body.startAt),
      state: 'DRAFT' as const,
      createdBy: ctx.accountId,
      createdAt: now,
      updatedAt: now,
    }
    checkDays(row)
    const [made] = await ctx.db.insert(materialTests).values(row).returning()
    const entity = { entity: 'materialTest', entityId: row.testId }
    ctx.audit({ ...entity, action: 'materialTest.create', after: { name: row.name, appId: app.appId } })
    ctx.emit({ ...entity, type: 'material.created', data: { appId: app.appId, name: row.name } })
    return toTestAlone(ctx, made!)
  },

  updateTest: async (ctx, { body }) => {
    const { testId, revision: _, ...wish } = body
    const { test } = await lockTest(ctx, testId)
    const set = settingsOf(wish)
    checkDays({ ...test, ...set })
    return toTestAlone(ctx, await moveTest(ctx, test, 'edit', { set, note: wish }))
  },

  deleteTest: async (ctx, { query }) => {
    const { app, test } = await lockTest(ctx, query.testId)
    await moveTest(ctx, test, 'delete', { set: { control: [] } })
    const variants = await variantsOf(ctx, [test.testId])
    const held = [test.control, ...variants.map(one => one.materials)].flatMap(objectIdsOf)
    await exchangeObjects(ctx, app, held, [])
    await ctx.db
      .update(materialVariants)
      .set({ materials: [], updatedAt: ctx.now() })
      .where(eq(materialVariants.testId, test.testId))
    return { testId: test.testId }
  },

  listTests: async (ctx, { query }) => {
    const { appId, state, search, pageSize = 20, cursor } = query
    await appOf(ctx, appId)
    const words = search?.trim().replace(/[\\%_]/g, '\\$&')
    const matching = and(
      eq(materialTests.appId, appId),
      myTests(ctx),
      state ? eq(materialTests.state, state) : ne(materialTests.state, 'DELETED'),
      words ? ilike(materialTests.name, `%${words}%`) : undefined,
    )
    const isCursor = /^[0-9]{1,19}$/.test(cursor ?? '')
    const rows = await ctx.db
      .select()
      .from(materialTests)
      .where(and(matching, isCursor ? lt(materialTests.testId, cursor as string) : undefined))
      .orderBy(desc(materialTests.testId))
      .limit(pageSize + 1)
    const page = rows.slice(0, pageSize)
    const firstDay = new Date(ctx.now() - (shownDays - 1) * dayMs).toISOString().slice(0, 10)
    const days = await daysOf(ctx, page, firstDay)
    const views = await toTests(ctx, page)
    return {
      total: await ctx.db.$count(materialTests, matching),
      list: views.map(view => ({
        ...view,
        days: wholeDays(days.filter(day => day.testId === view.testId)),
      })),
      nextCursor: rows.length > pageSize ? (page.at(-1)?.testId ?? null) : null,
    }
  },

  getTestStatus: async (ctx, { query }) => {
    const test = await loadTest(ctx, query.testId)
    const { state, stopReason, startedAt, revision, testId, maxDays } = test
    const { allowedActions } = await toTestAlone(ctx, test)
    const endsAt = startedAt === null ? null : startedAt + maxDays * dayMs
    return { testId, state, stopReason, startedAt, endsAt, allowedActions, revision }
  },

  submitTest: async (ctx, { body }) => {
    const { app, test } = await lockTest(ctx, body.testId)
    const isFilled = await notFilled(ctx, app, test, await variantsOf(ctx, [test.testId]))
    const set = { submittedBy: ctx.accountId, submittedAt: ctx.now(), note: null, decidedAt: null, decidedBy: null }
    const after = await moveTest(ctx, test, 'submit', { objections: { isLive: notLive(app), isFilled }, set })
    return toTestAlone(ctx, await keepControl(ctx, app, after))
  },

  cancelTest: async (ctx, { body }) => {
    const { test } = await lockTest(ctx, body.testId)
    return toTestAlone(ctx, await moveTest(ctx, test, 'cancel', {}))
  },

  startTest: async (ctx, { body }) => {
    const { app, test } = await lockTest(ctx, body.testId)
    return toTestAlone(ctx, await startTest(ctx, app, test))
  },

  stopTest: async (ctx, { body }) => {
    const { test } = await lockTest(ctx, body.testId)
    const counted = test.state === 'RUNNING' ? await countNow(ctx, test) : test
    const set = { stoppedAt: ctx.now(), stopReason: 'DEVELOPER' as const }
    return toTestAlone(ctx, await moveTest(ctx, counted, 'stop', { set, data: { stopReason: 'DEVELOPER' } }))
  },

  applyVariant: async (ctx, { body }) => {
    const { app, test } = await lockTest(ctx, body.testId)
    const variant = await variantOf(ctx, test, body.variantId)
    const { variantId, materials } = variant
    const isValid = test.state === 'STOPPED' ? await notValid(ctx, app, test, variant) : null
    const after = await moveTest(ctx, test, 'apply', {
      objections: { isLive: notLive(app), isValid },
      set: { appliedVariantId: variantId, appliedAt: ctx.now() },
      data: { variantId, elements: test.elements, langs: test.langs },
    })
    await applyMaterials(ctx, app, tested(test, materials))
    return toTestAlone(ctx, after)
  },

  syncTest: async (ctx, { body }) => toTestAlone(ctx, await settleTest(ctx, body.testId)),

  setStartMode: async (ctx, { body }) => {
    const { test } = await lockTest(ctx, body.testId)
    const { startMode } = body
    const set = { startMode, startAt: startAtOf(ctx, startMode, body.startAt) }
    return toTestAlone(ctx, await moveTest(ctx, test, 'edit', { set, note: set }))
  },

  listVariants: async (ctx, { query }) => {
    const { testId, revision } = await loadTest(ctx, query.testId)
    return { list: (await variantsOf(ctx, [testId])).map(one => toVariant(ctx, one)), revision }
  },

  createVariant: async (ctx, { body }) => {
    const { variant, test } = await addVariant(ctx, body)
    return { variant: toVariant(ctx, variant), test: await toTestAlone(ctx, test) }
  },

  updateVariant: async (ctx, { body }) => {
    const { variant, test } = await changeVariant(ctx, body)
    return { variant: toVariant(ctx, variant), test: await toTestAlone(ctx, test) }
  },

  deleteVariant: async (ctx, { query }) => toTestAlone(ctx, await removeVariant(ctx, query.variantId)),

  getVariant: async (ctx, { params }) => toVariant(ctx, await loadVariant(ctx, params.variantId)),

  planSample: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    const { variants, trafficPercent, devicesPerDay } = query
    const { baseRateBp = 0, mdeBp = 0, confidencePercent = 0 } = settingsOf(query)
    const perArm = plannedPerArm({ baseRateBp, mdeBp, confidencePercent }, variants)
    const total = perArm * (variants + 1)
    const days = devicesPerDay === undefined ? null : Math.ceil(total / ((devicesPerDay * trafficPercent) / 100))
    return { perArm, total, days, isTooLong: days !== null && days > limits.mostDays }
  },

  getReport: async (ctx, { query }) => reportOf(ctx, await loadTest(ctx, query.testId)),

  exportReport: async (ctx, { query }) => exportReport(ctx, query),
}

const defaults = {
  countries: [] as string[],
  controlShare: evenShares(1)[0] as number,
  metric: 'first_installs' as const,
  mdeBp: 1000,
  baseRateBp: 2000,
  confidencePercent: 95,
  minDays: limits.leastDays as number,
  maxDays: limits.mostDays as number,
  autoStop: false,
  control: [],
}

/** Of what was sent the columns; shares and rates as whole numbers. */
function settingsOf({ mde, baseRate, confidence, ...wish }: Settings) {
  const { name, elements, langs, countries, trafficPercent, controlShare, metric, minDays, maxDays, autoStop } = wish
  const given = {
    ...{ elements, langs, countries, trafficPercent, controlShare, metric, minDays, maxDays, autoStop },
    name: name?.trim(),
    mdeBp: mde === undefined ? undefined : Math.round(mde * wholeBasisPoints),
    baseRateBp: baseRate === undefined ? undefined : Math.round(baseRate * wholeBasisPoints),
    confidencePercent: confidence === undefined ? undefined : Math.round(confidence * 100),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<TestRecord>
}

function checkDays({ minDays, maxDays }: Pick<TestRecord, 'minDays' | 'maxDays'>): void {
  if (minDays > maxDays) refuse(errors.daysMisfit, { minDays, maxDays })
}

function startAtOf(ctx: Context, mode: TestRecord['startMode'] | undefined, startAt: number | null | undefined) {
  if (mode !== 'TIMED') return null
  if (startAt == null || startAt <= ctx.now()) refuse(errors.startTime)
  return startAt
}

/** Refuses a variant of another test as one that is not there. */
async function variantOf(ctx: Context, test: TestRecord, variantId: string): Promise<VariantRecord> {
  const variant = (await variantsOf(ctx, [test.testId])).find(one => one.variantId === variantId)
  return variant ?? loadVariant(ctx, '0')
}

/** What of the materials the test showed; what was added and then taken out of the test was not seen by a reviewer. */
function tested({ langs, elements }: TestRecord, materials: VariantRecord['materials']) {
  return materials
    .filter(one => langs.includes(one.lang))
    .map(({ lang, name, brief, icon, screenshots, film }) => ({
      lang,
      name: elements.includes('name') ? name : null,
      brief: elements.includes('brief') ? brief : null,
      icon: elements.includes('icon') ? icon : null,
      screenshots: elements.includes('screenshots') ? screenshots : null,
      film: elements.includes('video') ? film : null,
    }))
}

/** All arms of a day together. */
function wholeDays(days: readonly { day: string; impressions: number; installs: number }[]) {
  return [...Map.groupBy(days, one => one.day)].map(([day, arms]) => ({
    day,
    impressions: arms.reduce((sum, one) => sum + one.impressions, 0),
    installs: arms.reduce((sum, one) => sum + one.installs, 0),
  }))
}

/** Apps for HarmonyOS alone: everything else is at the other face. */
async function mustBeHarmony(ctx: Context, input: unknown): Promise<void> {
  const { query, body, params } = input as Record<'query' | 'body' | 'params', Record<string, string> | undefined>
  const { appId, testId, variantId } = { ...query, ...body, ...params }
  await ctx.transact(async inner => {
    const ofTest = async (id: string) => (await loadTest(inner, id)).appId
    const wanted =
      appId ?? (await ofTest(testId ?? (variantId === undefined ? '0' : (await loadVariant(inner, variantId)).testId)))
    const app: AppRow = await appOf(inner, wanted)
    const { name, packageType } = app
    if (!harmonyTypes.includes(packageType)) refuse(errors.otherFace, { name, packageType, path: '/mts/material-test' })
  })
}

type Handle = (ctx: Context, input: unknown, raw: unknown) => unknown

const harmonyFace = Object.fromEntries(
  Object.entries(face as unknown as Record<string, Handle>).map(([name, handle]) => [
    name,
    async (ctx: Context, input: unknown, raw: unknown) => {
      await mustBeHarmony(ctx, input)
      return handle(ctx, input, raw)
    },
  ]),
) as unknown as Handlers<typeof harmonyMaterialTests>

export default implement(contract, face)
export const harmony = implement(harmonyMaterialTests, harmonyFace)

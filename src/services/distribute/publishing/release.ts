import type { Input } from '../../../kernel/contract.ts'
import { compileStatusOf, percentOf, phasedStateOf, phasedWords } from '../../../kernel/field-words.ts'
import type { Ask } from '../../../server/asking.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { packages } from '../packages/contract.ts'
import { packageTasks } from '../packages/tasks/contract.ts'
import { versions } from '../versions/contract.ts'
import { versionPhased } from '../versions/phased/contract.ts'
import type { publishing } from './contract.ts'
import { phasedVersionId, versionUnderWay } from './public.ts'
import { instantOf } from './rules.ts'

type Calls = (typeof publishing)['calls']
type PhasedFields = NonNullable<Input<Calls['submitApp']>['body']>

/** How long a submit waits for a package that is nearly read, before it tells the tool to come again in minutes. */
const patienceSeconds = 20

export async function submitApp(ask: Ask, { query, body }: Input<Calls['submitApp']>, ctx: Context) {
  const { pkgId } = await versionUnderWay(ask, query.appId)
  const { appId, releaseType, releaseTime, remark } = query
  if (pkgId !== null) await waitForPackage(ask, pkgId)
  return submit(ask, { appId, releaseType, releaseTime, remark, phased: body ?? {} }, ctx)
}

interface Wish {
  appId: string
  releaseType?: number | undefined
  releaseTime?: string | undefined
  remark?: string | undefined
  phased: PhasedFields
  submitWhenReady?: boolean
}

export async function submit(ask: Ask, wish: Wish, ctx: Context) {
  const { versionId } = await versionUnderWay(ask, wish.appId)
  const isPhased = wish.releaseType === 3
  const start = isPhased ? wish.phased.phasedReleaseStartTime : wish.releaseTime
  const asked = start === undefined ? null : timeOf(start, isPhased ? '/phasedReleaseStartTime' : '/releaseTime')
  // The start of a phased release that has passed, as tools send it, is now.
  const onShelfTime = isPhased && asked !== null && asked <= ctx.now() ? null : asked
  await ask(versions, 'submitVersion', {
    body: {
      versionId,
      ...(onShelfTime === null ? { releaseMode: 'AUTO' as const } : { releaseMode: 'TIMED' as const, onShelfTime }),
      ...(wish.remark === undefined ? {} : { remark: wish.remark.trim() }),
      ...(isPhased ? phasedOf(wish.phased) : {}),
      ...(wish.submitWhenReady ? { submitWhenReady: true } : {}),
    },
  })
  return { versionId }
}

function phasedOf(fields: PhasedFields) {
  const { phasedReleasePercent: percent, phasedReleaseEndTime: end, phasedReleaseDescription } = fields
  return {
    releasePhase: 3 as const,
    ...(phasedReleaseDescription === undefined ? {} : { phasedDescription: phasedReleaseDescription }),
    phased: {
      ...(percent === undefined ? {} : { kind: 'PERCENT' as const, percent: percentOf(percent) }),
      ...(end === undefined ? {} : { endAt: timeOf(end, '/phasedReleaseEndTime') }),
    },
  }
}

async function waitForPackage(ask: Ask, pkgId: string): Promise<void> {
  const { state, taskId } = await ask(packages, 'getPackage', { query: { pkgId } })
  if (compileStatusOf(state).successStatus !== 1) return
  await ask(packageTasks, 'getPackageTask', { query: { taskId, wait: patienceSeconds } })
}

function timeOf(written: string, pointer: string): number {
  return instantOf(written) ?? refuseTime(written, pointer)
}

function refuseTime(written: string, pointer: string): never {
  throw badField(pointer, 'time', `is ${written}; write it as 2026-12-01T09:00:00+0000`)
}

export async function changePhased(ask: Ask, { query, body }: Input<Calls['updatePhasedRelease']>) {
  const versionId = await phasedVersionId(ask, query.appId)
  const { phasedReleasePercent: percent, phasedReleaseEndTime: end, phasedReleaseDescription: description } = body
  await ask(versionPhased, 'updatePhasedRelease', {
    body: {
      versionId,
      ...(percent === undefined ? {} : { percent: percentOf(percent) }),
      ...(end === undefined ? {} : { endAt: timeOf(end, '/phasedReleaseEndTime') }),
      ...(description === undefined ? {} : { description }),
    },
  })
  return {}
}

export async function changePhasedState(ask: Ask, { query, body }: Input<Calls['updatePhasedState']>) {
  const versionId = await phasedVersionId(ask, query.appId)
  const state = phasedStateOf(body.state)
  if (state === null) throw badField('/state', 'enum', `must be ${phasedWords}`)
  const reason = body.phasedReleaseDescription ?? 'Asked for through the publishing API'
  await ask(versionPhased, 'updatePhasedRelease', {
    body: { versionId, state, ...(state === 'ROLLBACK' ? { reason } : {}) },
  })
  return {}
}

export async function changeTime(ask: Ask, { query, body }: Input<Calls['updateOnShelfTime']>) {
  const { versionId } = await versionUnderWay(ask, query.appId)
  const changeType = Number(body.changeType)
  // Tools send a time with every type; only the third is about one.
  const releaseTime =
    changeType === 3 && body.releaseTime !== undefined ? timeOf(body.releaseTime, '/releaseTime') : undefined
  await ask(versions, 'updateReleaseTime', {
    body: { versionId, changeType, ...(releaseTime === undefined ? {} : { releaseTime }) },
  })
  return {}
}

export async function withdrawOf(ask: Ask, { query }: Input<Calls['cancelSubmission']>) {
  const { versionId } = await versionUnderWay(ask, query.appId)
  await ask(versions, 'withdrawVersion', { body: { versionId } })
  return {}
}

export async function withdraw(ask: Ask, { body }: Input<Calls['cancelVersion']>) {
  const { versionId } = body
  await ask(versions, 'withdrawVersion', { body: { versionId } })
  return {}
}

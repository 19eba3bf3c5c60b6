import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { versions } from '../../versions/contract.ts'
import { versionListings } from '../../versions/listing/contract.ts'
import { submissions } from '../contract.ts'
import { reviewDesk } from '../desk/contract.ts'
import { decideTask, handIn, waitingTask } from '../review.testkit.ts'
import { sensitiveApps } from '../sensitive/contract.ts'
import { automaticPasses } from './contract.ts'

let stage: Stage
let owner: Person
let reviewer: Person
let senior: Person
beforeAll(async () => {
  stage = await openStage()
  await people()
})
afterAll(() => stage.close())

/** Anew after the clock was turned: sessions end. */
async function people(): Promise<void> {
  const team = owner?.teamId
  owner = await stage.person(team === undefined ? {} : { team, roles: ['leader'] })
  reviewer = await stage.person({ staff: ['reviewer'] })
  senior = await stage.person({ staff: ['seniorReviewer'] })
}

const rules = { isOn: true, passesListings: true, passesUpdates: true, cleanDays: 90, samplePercent: 0 }

async function setRules(change: Partial<typeof rules>): Promise<void> {
  const { revision } = await senior.ok(automaticPasses, 'getAutoRules', {})
  await senior.ok(automaticPasses, 'updateAutoRules', { body: { ...rules, ...change, revision } })
}

async function onShelf(name: string): Promise<string> {
  const { taskId, appId } = await waitingTask(stage, owner, reviewer, name)
  await decideTask(reviewer, taskId, 'APPROVE')
  await stage.settle()
  return appId
}

/** The next version of an app with another text, handed in. */
async function update(appId: string): Promise<string> {
  const { versionId, revision } = await owner.ok(versions, 'createVersion', { body: { appId } })
  await owner.ok(versionListings, 'updateListing', {
    body: { versionId, lang: 'enUS', newFeatures: `Text ${versionId}`, revision },
  })
  await handIn(stage, owner, versionId)
  return versionId
}

const lastTask = async (appId: string) => {
  const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: appId, sort: 'due', pageSize: 100 } })
  return [...list].sort((a, b) => Number(BigInt(b.taskId) - BigInt(a.taskId)))[0]!
}

describe('automatic passes', () => {
  let appId: string

  it('are set by senior reviewers, and a stale change is refused', async () => {
    const body = { ...rules, revision: 0 }
    expect((await reviewer.call(automaticPasses, 'updateAutoRules', { body })).status).toBe(403)
    expect(await reviewer.ok(automaticPasses, 'getAutoRules', {})).toMatchObject({ isOn: false, samplePercent: 20 })
    await senior.ok(automaticPasses, 'updateAutoRules', { body })
    expect((await senior.call(automaticPasses, 'updateAutoRules', { body })).status).toBe(409)
    expect((await reviewer.ok(automaticPasses, 'getAutoRules', {})).changedBy).toBe(senior.loginName)
  })

  it('need a clean record of so many days, and are logged as the system’s with their reasons', async () => {
    appId = await onShelf('Almanac')
    await update(appId)
    const early = await lastTask(appId)
    expect([early.state, early.queue, early.autoReasons]).toEqual(['QUEUED', 'UPDATE', []])
    await decideTask(reviewer, early.taskId, 'APPROVE')
    stage.clock.turn(90 * 86_400_000)
    await people()
    const versionId = await update(appId)
    const task = await lastTask(appId)
    expect(task).toMatchObject({
      queue: 'AUTO',
      state: 'DECIDED',
      verdict: 'APPROVE',
      decidedBy: null,
      claimedBy: null,
    })
    expect(task.autoReasons).toEqual(['listingOnly', 'cleanRecord'])
    const { onShelf: shelved } = await owner.ok(versions, 'getVersion', { query: { appId } })
    expect(shelved?.versionId).toBe(versionId)
    const thread = await owner.ok(submissions, 'getSubmission', { query: { versionId } })
    expect([thread.state, thread.messages.at(-1)?.kind]).toEqual(['COMPLETE', 'APPROVAL'])
  })

  it('are sampled: what is drawn stays drawn, whatever is withdrawn and handed in again, until somebody looked', async () => {
    await setRules({ samplePercent: 100 })
    const drawn = await update(appId)
    expect(await lastTask(appId)).toMatchObject({ queue: 'UPDATE', state: 'QUEUED', isSampled: true })
    await setRules({ samplePercent: 0 })
    await owner.ok(versions, 'withdrawVersion', { body: { versionId: drawn } })
    await stage.settle()
    await handIn(stage, owner, drawn)
    const again = await lastTask(appId)
    expect([again.state, again.isSampled]).toEqual(['QUEUED', true])
    const thread = await owner.ok(submissions, 'getSubmission', { query: { versionId: drawn } })
    expect(JSON.stringify(thread)).not.toContain('isSampled')
    await decideTask(reviewer, again.taskId, 'APPROVE')
    await stage.settle()
    await update(appId)
    expect((await lastTask(appId)).queue).toBe('AUTO')
  })

  it('are not for apps where two must agree, nor after a rejection', async () => {
    await senior.ok(sensitiveApps, 'updateSensitiveApp', {
      body: { appId, isSensitive: true, reason: 'It handles payments.' },
    })
    await update(appId)
    const task = await lastTask(appId)
    expect([task.queue, task.state]).toEqual(['UPDATE', 'QUEUED'])
    await senior.ok(sensitiveApps, 'updateSensitiveApp', { body: { appId, isSensitive: false } })
    await decideTask(reviewer, task.taskId, 'REJECT')
    await stage.settle()
    const { version } = await owner.ok(versions, 'getVersion', { query: { appId } })
    await handIn(stage, owner, version?.versionId ?? '')
    expect((await lastTask(appId)).queue).toBe('UPDATE')
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idsOf } from '../../../testkit/ids.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { orchestration } from './contract.ts'
import { definition, made, publish, slowService, wait } from './orchestration.testkit.ts'
import { processName } from './rules.ts'
import { shippedDefinitions } from './shipped.ts'

let stage: Stage
let owner: Person
let staff: Person
beforeAll(async () => {
  stage = await openStage({ services: [slowService] })
  owner = await stage.person()
  staff = await stage.person({ staff: ['storeAdministrator'] })
})
afterAll(() => stage.close())

/** Longer than any test: an answer that waited for such a step would not come. */
const forever = 60_000

describe('the graph', () => {
  it('steps that wait for nothing run together, at most eight at once', async () => {
    made.most = 0
    const steps = Array.from({ length: 20 }, (_, at) => wait(`step${at}`, 60))
    const invoke = await publish(staff, definition('wide', steps))
    const { status } = await invoke(owner)
    expect([status, made.most]).toEqual([200, 8])
  })

  it('a step begins as soon as what it waits for is there, not when the whole row is', async () => {
    const chain = [
      wait('quick', 20),
      wait('slow', 300),
      wait('next', 20, { dependsOn: ['quick'] }),
      wait('last', 20, { dependsOn: ['next'] }),
    ]
    const member = await stage.person({ team: owner.teamId, staff: ['storeOperator'] })
    const invoke = await publish(staff, definition('ready', chain))
    const { body } = await invoke(member)
    const trace = new Map(body.trace?.map(one => [one.step, one]))
    const endOf = (id: string) => (trace.get(id)?.startMs ?? 0) + (trace.get(id)?.ms ?? 0)
    expect(endOf('last')).toBeLessThan(endOf('slow'))
  })

  it('the same call with the same input runs once in one process', async () => {
    const same = { input: { query: { ms: 5 } } }
    const invoke = await publish(
      staff,
      definition('memo', [wait('one', 5, same), wait('two', 5, same), wait('three', 6)]),
    )
    made.calls = 0
    await invoke(owner)
    expect(made.calls).toBe(2)
    await invoke(owner)
    expect(made.calls).toBe(4)
  })

  it('a cacheKey says what is the same', async () => {
    const cacheKey = 'all'
    const invoke = await publish(
      staff,
      definition('keyed', [wait('one', 5, { cacheKey }), wait('two', 6, { cacheKey })]),
    )
    made.calls = 0
    const { body } = await invoke(owner)
    expect([made.calls, body.data]).toEqual([1, { one: { waitedMs: 5, calls: 1 }, two: { waitedMs: 5, calls: 1 } }])
  })

  it('a step that does not apply is left out, and what waits for it runs', async () => {
    const steps = [
      wait('maybe', 5, { when: { $exists: '$.in.appId' } }),
      wait('after', 5, {
        dependsOn: ['maybe'],
        input: { query: { ms: { $coalesce: ['$.steps.maybe.body.waitedMs', 7] } } },
      }),
    ]
    const invoke = await publish(staff, definition('when', steps))
    expect((await invoke(owner)).body.data).toEqual({ after: expect.objectContaining({ waitedMs: 7 }) })
    expect((await invoke(owner, { appId: '1' })).body.data).toMatchObject({ after: { waitedMs: 5 } })
  })
})

describe('time', () => {
  it('an optional step that takes too long leaves its fallback and an entry in partial', async () => {
    const steps = [
      wait('quick', 5),
      wait('late', forever, { timeoutMs: 40, optional: true, fallback: { waitedMs: 0 } }),
    ]
    const invoke = await publish(staff, definition('late', steps))
    const { status, body } = await invoke(owner)
    expect([status, body.partial]).toEqual([200, [expect.objectContaining({ step: 'late', code: 204281001 })]])
    expect(body.data).toMatchObject({ late: { waitedMs: 0 }, quick: { waitedMs: 5 } })
  })

  it('a required step that takes too long fails the whole with its code', async () => {
    const invoke = await publish(staff, definition('required', [wait('late', forever, { timeoutMs: 40 })]))
    const { status, body } = await invoke(owner)
    expect([status, body.ret.code, body['step'], body['code']]).toEqual([504, 204281002, 'late', 204281001])
  })

  it('the deadline holds for all steps together and is 204281001', async () => {
    const steps = [wait('one', 80), wait('two', forever, { dependsOn: ['one'] })]
    const invoke = await publish(staff, definition('deadline', steps, { deadlineMs: 150 }))
    const { status, body } = await invoke(owner)
    expect([status, body.ret.code]).toEqual([504, 204281001])
  })

  it('what is left of the time goes along: PostgreSQL ends a statement that takes longer', async () => {
    const step = { id: 'asleep', call: { service: 'ground/slow', name: 'sleep' }, timeoutMs: 60, optional: true }
    const invoke = await publish(staff, definition('asleep', [step]))
    expect((await invoke(owner)).body.partial[0]?.code).toBe(204281001)
    for (let tries = 0; made.ended === undefined && tries < 100; tries++) await new Promise(go => setTimeout(go, 20))
    expect(made.ended).toBe('57014')
  })
})

describe('a fault', () => {
  it.each(
    shippedDefinitions
      .filter(one => one.steps?.some(step => step.optional))
      .map(one => ({ name: processName(one), one })),
  )('of each optional step of $name is told in partial, and the rest is answered in time', async ({ one }) => {
    const ids = await sample()
    const deadlineMs = 3_000
    for (const step of one.steps?.filter(each => each.optional) ?? []) {
      const target = {
        ...step,
        timeoutMs: 40,
        retries: 0,
        call: { service: 'ground/slow', name: 'wait' },
        input: { query: { ms: forever } },
      }
      const steps = one.steps?.map(each => (each.id === step.id ? target : each)) ?? []
      const invoke = await publish(staff, {
        ...one,
        definitionId: 'tests',
        writes: false,
        deadlineMs,
        steps: steps.map(reading),
        output: null,
      })
      const { status, body } = await invoke(owner, ids)
      expect([status, body.partial]).toEqual([
        200,
        expect.arrayContaining([expect.objectContaining({ step: step.id, code: 204281001 })]),
      ])
    }
  })

  const reading = <S extends object>(step: S) => ({ ...step, reads: true })
  let known: Promise<object> | undefined
  const sample = () => {
    known ??= idsOf(stage, owner).then(({ appId, projectId, versionId }) => ({
      ...{ appId, projectId, toProjectId: projectId, versionId, fileName: 'a.png', size: 10, bizTag: 'app_img' },
    }))
    return known
  }
})

it('a GET that a broken part refused is tried again, as often as the step says', async () => {
  const flaky = { id: 'flaky', call: { service: 'ground/slow', name: 'flaky' } }
  made.calls = 0
  const patient = await publish(staff, definition('patient', [{ ...flaky, retries: 1 }]))
  expect([(await patient(owner)).status, made.calls]).toEqual([200, 2])
  const once = await publish(staff, definition('once', [flaky]))
  const { status, body } = await once(owner)
  expect([status, body['code'], made.calls]).toEqual([503, 209990001, 3])
})

it('a step that names its call by address finds it as soon as a service answers there', async () => {
  const call = { service: 'ground/slow', method: 'GET' as const, path: '/slow/wait' }
  const invoke = await publish(staff, definition('address', [{ ...wait('there', 1), call }]))
  expect((await invoke(owner)).body).toMatchObject({ data: { there: { waitedMs: 1 } }, partial: [] })
})

it('the response of a step is bounded, and of all steps together', async () => {
  const fill = (id: string, bytes: number) => ({
    ...{ id, call: { service: 'ground/slow', name: 'fill' }, input: { query: { bytes } } },
  })
  const one = await publish(staff, definition('bomb', [fill('big', 1_100_000)]))
  expect((await one(owner)).body['code']).toBe(204281004)
  const six = Array.from({ length: 6 }, (_, at) => fill(`part${at}`, 900_000 + at))
  const many = await publish(staff, definition('bombs', six))
  expect((await many(owner)).body['code']).toBe(204281004)
})

it('a definition that names a call for staff is refused by the gate when a developer runs it', async () => {
  const step = { id: 'guarded', call: { service: 'ground/slow', name: 'guarded' } }
  const invoke = await publish(staff, definition('guarded', [step]))
  const { status, body } = await invoke(owner)
  expect([status, body['code']]).toEqual([403, 204160004])
})

it('a call made from inside makes none itself, however it comes there', async () => {
  const found = stage.booted.server.inside.find({ service: 'ground/orchestration', name: 'invoke' })
  const outer = { headers: {}, isInside: true }
  await expect(found?.run(outer as never, { body: {} })).rejects.toMatchObject({ number: 200000016 })
  expect(orchestration.calls.invoke.transaction).toBe(false)
})

import { beforeAll, describe, expect, it } from 'vitest'
import { CannotStart, type Instance, type InstanceSpec, type Outcome } from './port.ts'

/** What holds of the server of `answering.testkit.ts`, whichever engine runs it. */
export function answersAsContracted(start: (wishes?: Partial<InstanceSpec>) => Promise<Instance>): void {
  describe('that runs', () => {
    let instance: Instance
    beforeAll(async () => {
      instance = await start({ env: { GREETING: 'hello' } })
    }, 60_000)

    it('is initialised once, gets the event with its environment, and answers JSON', async () => {
      for (const n of [1, 2]) {
        const answer = { event: { what: 'echo', n }, begun: 1, env: 'hello' }
        expect(await answerOf(instance, { what: 'echo', n })).toEqual(answer)
      }
    })

    it('is told of the call in headers', async () => {
      const caller = { uid: '7', claims: { plan: 'é' } }
      const order = { id: 'whole', event: '{"what":"headers"}', caller, timeoutMs: 5_000, mark: 'signed' }
      const delivery = { requestId: '5', attempt: 2, isRepeat: true }
      const outcome = await instance.call({ ...order, delivery })
      const isJson = outcome.kind === 'answered' && outcome.result.kind === 'json'
      const headers = isJson && outcome.result.kind === 'json' ? JSON.parse(outcome.result.text) : {}
      expect(headers).toMatchObject({
        ...{ 'x-cff-request-id': 'whole', 'x-cff-func-name': 'measured', 'x-cff-func-version': '7' },
        ...{ 'x-cff-timeout': '5', 'x-cff-memory': '256', 'x-loggia-hops': 'signed', 'x-loggia-remaining-ms': '5000' },
      })
      expect(JSON.parse(decodeURIComponent(headers['x-loggia-caller']))).toEqual(caller)
      expect(JSON.parse(headers['x-loggia-delivery'])).toEqual(delivery)
    })

    it('answers whole HTTP answers as they are, and no JSON that is none', async () => {
      expect(await answerOf(instance, { what: 'page' })).toMatchObject({
        ...{ kind: 'http', status: 201, body: '<p>page</p>', isBase64: false },
        headers: { 'content-type': 'text/html', 'x-own': 'yes' },
      })
      expect(await call(instance, { what: 'pages' })).toMatchObject({ kind: 'threw', error: { kind: 'notJson' } })
    })

    it('is not called again when it was stopped', async () => {
      await instance.stop()
      expect(await instance.ended).toBe('stopped')
      expect(await call(instance, {})).toMatchObject({ kind: 'ended', reason: 'stopped', wasSent: false })
    })
  })

  it('that takes too long is told so', async () => {
    const instance = await start({})
    expect(await call(instance, { what: 'slow' }, 300)).toMatchObject({ kind: 'ended', reason: 'timeout' })
    expect(await instance.ended).toBe('timeout')
  })

  it('that refuses to begin says why', async () => {
    const fault = await start({ env: { INIT: '503' } }).catch(error =>
      error instanceof CannotStart ? error.fault : error,
    )
    expect(fault).toMatchObject({ kind: 'initialiserFailed', message: 'POST /init answered 503: no key' })
  })
}

let calls = 0
export const lastCall = () => `call-${calls}`

export const call = (instance: Instance, event: unknown, timeoutMs = 10_000): Promise<Outcome> =>
  instance.call({ id: `call-${++calls}`, event: JSON.stringify(event), caller: null, timeoutMs })

export async function answerOf(instance: Instance, event: unknown): Promise<unknown> {
  const outcome = await call(instance, event)
  if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome))
  return outcome.result.kind === 'json' ? JSON.parse(outcome.result.text) : outcome.result
}

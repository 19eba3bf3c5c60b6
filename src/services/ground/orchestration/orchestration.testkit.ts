import { sql } from 'drizzle-orm'
import { service } from '../../../kernel/contract.ts'
import { refuse } from '../../../kernel/errors.ts'
import { AnyJson, integer, optional, shape } from '../../../kernel/shape.ts'
import { causeOf } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import type { Person } from '../../../testkit/stage.ts'
import type { Definition, Step } from './contract.ts'
import { orchestration } from './contract.ts'
import { processDesk } from './desk/contract.ts'

/** Calls that take long, answer much, or count how often they are made. */
export const slow = service({
  name: 'ground/slow',
  prefix: '/slow',
  zone: 'current',
  permissions: ['slow.operate'],
  errors: { broken: [209990001, 503, 'It is broken.'] },
  calls: {
    wait: {
      ...{ method: 'GET', path: '/wait', who: 'cp', may: 'none', summary: 'Waits' },
      query: shape({ ms: integer(0, 60_000), tag: optional(AnyJson) }),
      answer: shape({ waitedMs: integer(0, 60_000), calls: integer(0, 1_000_000) }),
    },
    fill: {
      ...{ method: 'GET', path: '/fill', who: 'cp', may: 'none', summary: 'Answers much' },
      query: shape({ bytes: integer(0, 10_000_000) }),
      answer: shape({ text: AnyJson }),
    },
    flaky: { method: 'GET', path: '/flaky', who: 'cp', may: 'none', summary: 'Is broken every other time' },
    sleep: { method: 'GET', path: '/sleep', who: 'cp', may: 'none', summary: 'Sleeps in PostgreSQL' },
    guarded: { method: 'GET', path: '/guarded', who: 'manage', may: 'slow.operate', summary: 'For staff' },
  },
})

export const made = { calls: 0, atOnce: 0, most: 0, ended: undefined as string | undefined }

export const slowService = {
  calls: [
    implement(slow, {
      wait: async (_ctx, { query }) => {
        made.calls++
        made.atOnce++
        made.most = Math.max(made.most, made.atOnce)
        await new Promise(resolve => setTimeout(resolve, query.ms).unref())
        made.atOnce--
        return { waitedMs: query.ms, calls: made.calls }
      },
      fill: async (_ctx, { query }) => ({ text: 'x'.repeat(query.bytes) }),
      flaky: async () => {
        if (made.calls++ % 2 === 0) refuse(slow.errors.broken)
        return {}
      },
      sleep: async ctx => {
        await ctx.db.execute(sql`SELECT pg_sleep(20)`).catch(error => {
          made.ended = causeOf(error).code
          throw error
        })
        return {}
      },
      guarded: async () => ({}),
    }),
  ],
}

export const wait = (id: string, ms: number, more: Partial<Step> = {}): Step => ({
  id,
  call: { service: 'ground/slow', name: 'wait' },
  input: { query: { ms, tag: id } },
  ...more,
})

export const definition = (processId: string, steps: Step[], more: Partial<Definition> = {}): Definition => ({
  ...{ definitionId: 'tests', processId, title: 'A test', steps },
  output: Object.fromEntries(steps.map(({ id }) => [id, `$.steps.${id}.body`])),
  ...more,
})

/** Publishes a definition as staff do, and answers what invokes it. */
export async function publish(staff: Person, one: Definition) {
  const { definitionId, processId } = one
  const params = { definitionId, processId }
  const known = await staff.call(processDesk, 'getProcess', { params })
  const draft = known.status === 200 ? known.body.versions.find(version => version.state === 'draft') : undefined
  const { version } = await staff.ok(processDesk, 'saveDraft', {
    params,
    body: { definition: one, ...(draft ? { revision: draft.revision } : {}) },
  })
  await staff.ok(processDesk, 'actOnVersion', {
    params: { versionId: version.versionId },
    body: { action: 'publish', revision: version.revision },
  })
  return (who: Person, input: object = {}) =>
    who.call(orchestration, 'invokeByPath', { params: { definition: definitionId, process: processId }, body: input })
}

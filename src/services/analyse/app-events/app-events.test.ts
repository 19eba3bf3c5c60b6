import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import { analyticsQuery } from '../../../server/engines/analytics/ask.ts'
import type { Row } from '../../../server/engines/analytics/messages.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { keptEvent } from './checking.ts'
import { compact, dropFiles, dropOrphans } from './compacting.ts'
import { appEvents } from './contract.ts'
import { type AppEvent, eventNamesOf, recordAppEvents, segmentsOf } from './public.ts'
import { dayMs, limits } from './rules.ts'
import { segmentsBetween } from './sealing.ts'

let stage: Stage
let owner: Person
let made = 0

beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const here = () => systemContext(stage.booted.server, 'CN', { name: 'test' })
/** Of somebody new: the clock is turned past the end of sessions. */
async function newProject(): Promise<string> {
  owner = await stage.person()
  return (await owner.ok(projects, 'createProject', { body: { name: `Events ${++made}` } })).projectId
}
const everything = { from: 0, to: Number.MAX_SAFE_INTEGER }
const open = (unit: string, more: Partial<AppEvent> = {}): AppEvent => ({ name: 'open', unit, ...more })

async function rowsOf(projectId: string): Promise<Row[]> {
  const { files } = await segmentsOf(here(), projectId, everything)
  if (files.length === 0) return []
  const sql = 'SELECT *, epoch_ms("at")::double AS ms FROM read_parquet($files) ORDER BY unit, "at", name'
  return analyticsQuery(stage.booted.server, { sql, files })
}
const unitsOf = async (projectId: string) => (await rowsOf(projectId)).map(row => row['unit'])
const buffered = async (projectId: string) => {
  const [row] = await stage.sql<{ n: number }>(
    'CN',
    'SELECT count(*)::int AS n FROM app_event_buffer WHERE project_id = $1',
    [projectId],
  )
  return row?.n
}
const liveFiles = (projectId: string) =>
  here().transact(inner => segmentsBetween(inner, projectId, 0, Number.MAX_SAFE_INTEGER))
function storedFiles(): string[] {
  const root = path.join(stage.dataDir, 'events', 'cn')
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(one => one.isFile())
    .map(one => one.name)
}

it('what is recorded is in the files at once, with the columns that readers build on', async () => {
  const projectId = await newProject()
  const at = stage.clock.now() - 1000
  await recordAppEvents(here(), projectId, [
    { name: 'purchase', unit: 'ann', at, value: 12.5, props: { item: 'book', count: 2, isGift: true, none: null } },
    { name: '$exposure', unit: 'bob', at, experiment: '736430079244000001', variant: 'b' },
  ])
  const rows = await rowsOf(projectId)
  expect(rows).toEqual([
    {
      id: expect.stringMatching(/^[1-9]\d*$/),
      ...{ name: 'purchase', unit: 'ann', value: 12.5, experiment: null, variant: null, ms: at },
      at: new Date(at)
        .toISOString()
        .replace('T', ' ')
        .replace(/\.?0*Z$/, ''),
      props: '{"item":"book","count":2,"isGift":true}',
    },
    expect.objectContaining({
      ...{ name: '$exposure', unit: 'bob', value: null, props: '{}' },
      ...{ experiment: '736430079244000001', variant: 'b' },
    }),
  ])
  const { files } = await segmentsOf(here(), projectId, everything)
  const types = await analyticsQuery(stage.booted.server, {
    sql: 'SELECT column_name AS name, column_type AS type FROM (DESCRIBE SELECT * FROM read_parquet($files))',
    files,
  })
  expect(types.map(({ name, type }) => `${name} ${type}`)).toEqual([
    ...['id BIGINT', 'name VARCHAR', 'unit VARCHAR', 'at TIMESTAMP', 'value DOUBLE'],
    ...['experiment VARCHAR', 'variant VARCHAR', 'props VARCHAR'],
  ])
})

it('a project without events has no files, and one that is asked for a stretch only those of it', async () => {
  const projectId = await newProject()
  expect(await segmentsOf(here(), projectId, everything)).toEqual({ files: [], completeThrough: expect.any(Number) })
  expect(await eventNamesOf(here(), projectId, 0)).toEqual([])
  const now = stage.clock.now()
  await recordAppEvents(here(), projectId, [open('old', { at: now - 5 * dayMs }), open('new', { at: now })])
  const { files, completeThrough } = await segmentsOf(here(), projectId, { from: now - dayMs / 2, to: now + 1 })
  expect(completeThrough).toBeGreaterThanOrEqual(now)
  const units = await analyticsQuery(stage.booted.server, { sql: 'SELECT unit FROM read_parquet($files)', files })
  expect(units).toEqual([{ unit: 'new' }])
})

it('an event that comes again counts once: in one batch, in the buffer, and after it went into a file', async () => {
  const projectId = await newProject()
  const event = open('ann', { eventId: 'e1', at: stage.clock.now() })
  await recordAppEvents(here(), projectId, [event, event])
  await recordAppEvents(here(), projectId, [event])
  expect(await unitsOf(projectId)).toEqual(['ann'])
  // The clock of the device was corrected by a little else this time.
  await recordAppEvents(here(), projectId, [{ ...event, at: (event.at ?? 0) + 40 }, open('ann', { eventId: 'e2' })])
  expect(await unitsOf(projectId)).toEqual(['ann', 'ann'])
  expect(await buffered(projectId)).toBe(0)
  // The same words of somebody else are another event.
  await recordAppEvents(here(), projectId, [{ ...event, unit: 'bob' }])
  expect(await unitsOf(projectId)).toEqual(['ann', 'ann', 'bob'])
})

it('names are counted with distinct units, and whether they have values', async () => {
  const projectId = await newProject()
  const now = stage.clock.now()
  await recordAppEvents(here(), projectId, [
    ...['a', 'b', 'a'].map(unit => open(unit)),
    { name: 'buy', unit: 'a', value: 3 },
    { name: 'buy', unit: 'a', at: now - 10 * dayMs },
  ])
  expect(await eventNamesOf(here(), projectId, now - dayMs)).toEqual([
    { name: 'open', count: 3, units: 2, hasValue: false },
    { name: 'buy', count: 1, units: 1, hasValue: true },
  ])
  const answer = await owner.ok(appEvents, 'listEventNames', { query: { projectId, days: 14 } })
  expect(answer.days).toHaveLength(14)
  const buy = answer.list.find(one => one.name === 'buy')
  expect(buy).toMatchObject({ count: 2, units: 1 })
  expect(buy?.days.filter(count => count > 0)).toEqual([1, 1])
  expect(buy?.days.at(-1)).toBe(1)
})

it('of many who ask and record at once, nobody loses a row and nobody has one twice', async () => {
  const projectId = await newProject()
  const other = await stage.another()
  const servers = [stage.booted.server, other.server]
  await Promise.all(
    Array.from({ length: 30 }, async (_, at) => {
      const server = servers[at % 2] ?? stage.booted.server
      const ctx = systemContext(server, 'CN', { name: 'test' })
      await recordAppEvents(ctx, projectId, [
        open(`u${at}`, { eventId: 'x' }),
        open('shared', { eventId: `s${at % 3}` }),
      ])
      if (at % 3 === 0) await segmentsOf(ctx, projectId, everything)
    }),
  )
  const units = await unitsOf(projectId)
  expect(units.filter(unit => unit !== 'shared')).toHaveLength(30)
  expect(units.filter(unit => unit === 'shared')).toHaveLength(3)
  expect(await buffered(projectId)).toBe(0)
})

it('a process that is killed before it names its file loses nothing, and the file is swept', async () => {
  const projectId = await newProject()
  await recordAppEvents(here(), projectId, [open('ann')])
  const before = storedFiles()
  // The transaction that would name the file dies, as with the process; the file is there.
  await stage.sql('CN', `ALTER TABLE app_event_segments ADD CONSTRAINT killed CHECK (project_id <> ${projectId})`)
  await expect(segmentsOf(here(), projectId, everything)).rejects.toThrow('killed')
  await stage.sql('CN', 'ALTER TABLE app_event_segments DROP CONSTRAINT killed')
  const orphan = storedFiles().filter(name => !before.includes(name))
  expect(orphan).toHaveLength(1)
  expect(await buffered(projectId)).toBe(1)
  expect(await unitsOf(projectId)).toEqual(['ann'])
  await dropOrphans(here())
  expect(storedFiles()).toEqual(expect.arrayContaining(orphan))
  stage.clock.turn(limits.orphanAfterMs + dayMs)
  await dropOrphans(here())
  expect(storedFiles()).not.toEqual(expect.arrayContaining(orphan))
  expect(await unitsOf(projectId)).toEqual(['ann'])
})

it('the files of a day become one, and those before it stay while they may be read', async () => {
  const projectId = await newProject()
  const at = stage.clock.now()
  for (let n = 0; n < limits.filesOfDay; n++) {
    await recordAppEvents(here(), projectId, [open(`u${n}`, { at })])
    await segmentsOf(here(), projectId, everything)
  }
  const small = await liveFiles(projectId)
  expect(small).toHaveLength(limits.filesOfDay)
  await compact(here())
  const [one, ...others] = await liveFiles(projectId)
  expect(others).toEqual([])
  expect(one).toMatchObject({ rows: limits.filesOfDay, minAt: at, maxAt: at })
  expect(await unitsOf(projectId)).toHaveLength(limits.filesOfDay)
  await dropFiles(here())
  expect(storedFiles()).toEqual(expect.arrayContaining(small.map(file => file.sha256)))
  stage.clock.turn(limits.dropAfterMs)
  await dropFiles(here())
  for (const file of small) expect(storedFiles()).not.toContain(file.sha256)
  expect(await unitsOf(projectId)).toHaveLength(limits.filesOfDay)
})

it('what has waited goes into a file by itself, and what is too old goes', async () => {
  const projectId = await newProject()
  await recordAppEvents(here(), projectId, [open('ann'), open('old', { at: stage.clock.now() - 399 * dayMs })])
  await compact(here())
  expect(await buffered(projectId)).toBe(2)
  stage.clock.turn(limits.bufferedMs)
  await compact(here())
  expect(await buffered(projectId)).toBe(0)
  expect(await liveFiles(projectId)).toHaveLength(2)
  stage.clock.turn(2 * dayMs)
  await dropFiles(here())
  expect(await unitsOf(projectId)).toEqual(['ann'])
  await expect(
    recordAppEvents(here(), projectId, [open('older', { at: stage.clock.now() - 401 * dayMs })]),
  ).rejects.toThrow('400 days')
})

it('one person is taken out of every file and of what waits, and the others stay', async () => {
  const projectId = await newProject()
  const now = stage.clock.now()
  await recordAppEvents(here(), projectId, [
    open('ann', { at: now - dayMs }),
    open('bob', { at: now - dayMs }),
    open("o'e"),
  ])
  await segmentsOf(here(), projectId, everything)
  const untouched = (await liveFiles(projectId)).at(-1)?.sha256
  await recordAppEvents(here(), projectId, [open('ann', { at: now - 2 * dayMs })])
  const held = storedFiles()
  await owner.ok(appEvents, 'eraseUnit', { body: { projectId, unit: 'ann' } })
  await stage.settle()
  expect(await unitsOf(projectId)).toEqual(['bob', "o'e"])
  expect((await liveFiles(projectId)).map(file => file.sha256)).toContain(untouched)
  await dropFiles(here())
  expect(held.filter(name => !storedFiles().includes(name)).length).toBeGreaterThan(0)
  const other = await stage.person()
  const refused = await other.call(appEvents, 'eraseUnit', { body: { projectId, unit: 'bob' } })
  expect(refused.status).toBe(404)
})

it('everything goes with its project', async () => {
  const projectId = await newProject()
  await recordAppEvents(here(), projectId, [open('ann')])
  await segmentsOf(here(), projectId, everything)
  await recordAppEvents(here(), projectId, [open('bob')])
  const [file] = await liveFiles(projectId)
  await owner.ok(projects, 'deleteProject', { query: { projectId } })
  await stage.settle()
  await dropFiles(here())
  expect(storedFiles()).not.toContain(file?.sha256)
  const left = await stage.sql('CN', 'SELECT 1 FROM app_event_segments WHERE project_id = $1', [projectId])
  expect([left, await buffered(projectId)]).toEqual([[], 0])
})

it.each<[Partial<AppEvent>, string]>([
  [{ name: '1st' }, 'name'],
  [{ name: '$other' }, 'name'],
  [{ name: 'x'.repeat(65) }, 'name'],
  [{ unit: '' }, 'unit'],
  [{ unit: 'a\0b' }, 'unit'],
  [{ at: 1.5 }, 'at'],
  [{ value: Number.NaN }, 'value'],
  [{ name: '$exposure' }, 'experiment'],
  [{ name: '$exposure', experiment: '12' }, 'variant'],
  [{ experiment: 'twelve' }, 'experiment'],
  [{ eventId: 'a b' }, 'eventId'],
  [{ props: { 'a b': 1 } }, 'props.a b'],
  [{ props: { deep: {} as never } }, 'props.deep'],
  [{ props: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`p${at}`, 1])) }, 'props'],
  [{ props: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`p${at}`, 'x'.repeat(1024)])) }, 'props'],
])('an event is refused by its field: %j', (more, field) => {
  const kept = keptEvent({ ...open('bob'), ...more }, { receivedAt: stage.clock.now(), newId: () => '1' })
  expect(kept).toEqual({ field, message: expect.any(String) })
})

it('one bad event keeps all of the others out', async () => {
  const projectId = await newProject()
  const recorded = recordAppEvents(here(), projectId, [open('ann'), open('bob', { at: 1.5 })])
  await expect(recorded).rejects.toThrow('event 1, at: ')
  expect(await buffered(projectId)).toBe(0)
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../testkit/stage.ts'
import { type Context, systemContext } from './context.ts'
import { LazyTransaction } from './database/transaction.ts'
import type { Event, JobRun, Work } from './work.ts'

const heard: string[] = []
const runs: string[] = []
const given: string[] = []
const asked: string[][] = []
const sweptAt = new Map<string, number>()
let failuresLeft = 0

async function leaveTrace(ctx: Context, name: string): Promise<void> {
  await ctx.transaction(ctx.zone).query('INSERT INTO traces (name) VALUES ($1)', [name])
}

const work: Work = {
  listeners: [
    {
      name: 'test.listener',
      on: ['test.*'],
      run: async (ctx: Context, event: Event) => {
        await leaveTrace(ctx, `event ${event.entityId}`)
        heard.push(`${event.type} ${event.entityId}`)
        if (failuresLeft-- > 0) throw new Error('not this time')
      },
    },
    {
      name: 'test.choosy',
      on: ['choice.*'],
      wants: async (_ctx, events) => {
        asked.push(events.map(event => event.entityId))
        if (events.some(event => event.entityId === 'nobody can say')) throw new Error('cannot say')
        return new Set(events.filter(event => event.data['isGood']).map(event => event.eventId))
      },
      run: async (ctx, event) => leaveTrace(ctx, `chosen ${event.entityId}`),
    },
  ],
  jobs: [
    {
      kind: 'test.job',
      run: async (ctx: Context, job: JobRun) => {
        runs.push(`${job.input['name']} ${job.attempt}`)
        await job.progress('half', 50)
        if (job.input['fails'] === 'always' || (job.input['fails'] === 'once' && job.attempt === 1))
          throw new Error('broken')
        await ctx.transact(inner => leaveTrace(inner, `job ${job.input['name']}`))
      },
      giveUp: async (ctx, job, reason) => {
        await leaveTrace(ctx, `gave up ${job.input['name']}`)
        given.push(`${job.input['name']}: ${reason}`)
      },
    },
  ],
  sweeps: [
    { name: 'test.sweep', every: '0 0 0 1 1 *', database: 'zone', run: ctx => leaveTrace(ctx, `sweep ${ctx.zone}`) },
    {
      name: 'test.first',
      every: '* * * * * *',
      database: 'home',
      run: async () => void sweptAt.set('first', Date.now()),
    },
    {
      name: 'test.last',
      every: '* * * * * *',
      database: 'home',
      run: async () => void sweptAt.set('last', Date.now()),
    },
  ],
}

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'], services: [{ calls: [], work }] })
  for (const zone of ['CN', 'DE'] as const) {
    await stage.sql(zone, 'CREATE TABLE traces (name text); GRANT ALL ON traces TO loggia_app')
  }
})
afterAll(() => stage.close())

const inZone = <T>(act: (ctx: Context) => T | Promise<T>) =>
  systemContext(stage.booted.server, 'CN', { name: 'test' }).transact(async ctx => act(ctx))

it('a context of nobody has no transaction of its own: what it wrote would be lost, and its connection kept', async () => {
  const ctx = systemContext(stage.booted.server, 'CN', { name: 'test' })
  const event = { type: 'test.made', entity: 'test', entityId: '1', data: {} }
  for (const act of [() => ctx.db, () => ctx.home, () => ctx.emit(event), () => ctx.startJob(job('outside'))])
    expect(act).toThrow('use ctx.transact')
  await ctx.transact(inner => leaveTrace(inner, 'inside'))
  expect(await traces('inside')).toHaveLength(1)
})

const traces = (name: string) => stage.sql('CN', 'SELECT 1 FROM traces WHERE name = $1', [name])
const job = (name: string, fails = 'never', deadlineMs = 60_000) => ({
  kind: 'test.job',
  subject: name,
  input: { name, fails },
  deadlineMs,
})

describe('an event', () => {
  it('reaches its listener with the commit', async () => {
    await inZone(ctx => ctx.emit({ type: 'test.plain', entity: 'test', entityId: 'one' }))
    await stage.settle()
    expect(heard).toContain('test.plain one')
  })

  it('of a transaction that is rolled back never happened', async () => {
    const failed = inZone(ctx => {
      ctx.emit({ type: 'test.plain', entity: 'test', entityId: 'undone' })
      throw new Error('changed my mind')
    })
    await expect(failed).rejects.toThrow('changed my mind')
    await stage.settle()
    expect(heard).not.toContain('test.plain undone')
  })

  it('has its effect once when the listener fails first', async () => {
    failuresLeft = 1
    await inZone(ctx => ctx.emit({ type: 'test.shaky', entity: 'test', entityId: 'two' }))
    await stage.booted.worker.relay.poke('CN')
    stage.clock.turn(10_000)
    await stage.settle()
    expect(heard.filter(one => one === 'test.shaky two')).toHaveLength(2)
    expect(await traces('event two')).toHaveLength(1)
  })
})

describe('events', () => {
  it('of one moment go together and in order, and one that fails holds up none of the others', async () => {
    const names = Array.from({ length: 250 }, (_none, at) => `many ${at}`)
    failuresLeft = 1
    await inZone(ctx => {
      for (const entityId of names) ctx.emit({ type: 'test.many', entity: 'test', entityId })
    })
    await stage.booted.worker.relay.poke('CN')
    stage.clock.turn(10_000)
    await stage.settle()
    const told = heard.filter(one => one.startsWith('test.many')).map(one => one.slice('test.many '.length))
    // The one that failed is told again: behind all others, or between them where those take longer than its wait.
    expect([...new Set(told)]).toEqual(names)
    expect(told.filter(name => told.indexOf(name) !== told.lastIndexOf(name))).toEqual(['many 0', 'many 0'])
    expect(await traces('event many 0')).toHaveLength(1)
  })

  it('are shown at once to a listener that chooses, and cost nothing where it does not', async () => {
    await inZone(ctx => {
      for (const entityId of ['good', 'bad', 'good too'])
        ctx.emit({ type: 'choice.made', entity: 'test', entityId, data: { isGood: entityId !== 'bad' } })
    })
    await stage.settle()
    expect(asked).toEqual([['good', 'bad', 'good too']])
    const receipts = `SELECT o.entity_id AS id FROM event_receipts JOIN outbox o USING (event_id)
      WHERE listener = 'test.choosy' ORDER BY event_id`
    expect(await stage.sql('CN', receipts)).toEqual([{ id: 'good' }, { id: 'good too' }])
    expect(await stage.sql('CN', `SELECT name FROM traces WHERE name LIKE 'chosen%' ORDER BY name`)).toEqual([
      { name: 'chosen good' },
      { name: 'chosen good too' },
    ])
    expect(await stage.sql('CN', `SELECT 1 FROM outbox WHERE type = 'choice.made' AND relayed_at IS NULL`)).toEqual([])
  })

  it('reach a listener that cannot choose', async () => {
    await inZone(ctx => ctx.emit({ type: 'choice.made', entity: 'test', entityId: 'nobody can say' }))
    await stage.settle()
    expect(await traces('chosen nobody can say')).toHaveLength(1)
  })

  it('that nobody listens to stay on record and wait for nobody', async () => {
    await inZone(ctx => {
      ctx.emit({ type: 'unheard.of', entity: 'test', entityId: 'alone' })
      ctx.emit({ type: 'test.plain', entity: 'test', entityId: 'beside' })
    })
    const [row] = await stage.sql('CN', `SELECT relayed_at = at AS done FROM outbox WHERE type = 'unheard.of'`)
    expect(row).toEqual({ done: true })
    await stage.settle()
    expect(heard).toContain('test.plain beside')
  })
})

describe('what is written last in a transaction', () => {
  it('goes with its commit; where it fails nothing is kept, and what is wrong is said', async () => {
    const asked = (last: { text: string }[], begins: boolean) => {
      const transaction = new LazyTransaction(stage.booted.server.pools.of('CN'), 'all')
      const begun = begins ? transaction.query(`INSERT INTO traces VALUES ('begun')`) : Promise.resolve()
      return begun.then(() => transaction.commit(last))
    }
    const one = { text: `INSERT INTO traces VALUES ('last')` }
    const broken = { text: 'INSERT INTO nowhere VALUES (1)' }
    for (const begins of [true, false]) {
      await expect(asked([one, broken], begins)).rejects.toThrow('nowhere')
      expect([...(await traces('last')), ...(await traces('begun'))]).toEqual([])
    }
    await asked([one, one], false)
    await asked([one], true)
    expect([(await traces('last')).length, (await traces('begun')).length]).toEqual([3, 1])
  })

  it('and what is asked together is answered in order, in one transaction', async () => {
    const transaction = new LazyTransaction(stage.booted.server.pools.of('CN'), 'all')
    const answers = await transaction.together([
      { text: `INSERT INTO traces VALUES ('together')` },
      { text: `SELECT count(*)::int AS n FROM traces WHERE name = 'together'` },
    ])
    expect(answers[1]?.rows).toEqual([{ n: 1 }])
    await expect(transaction.together([{ text: 'SELECT 1' }, { text: 'SELECT nothing' }])).rejects.toThrow('nothing')
    await transaction.rollback()
    expect(await traces('together')).toEqual([])
  })
})

describe('a job', () => {
  it('runs once, shows its progress and ends', async () => {
    const jobId = await inZone(ctx => ctx.startJob(job('plain')))
    await stage.settle()
    const [row] = await stage.sql('CN', 'SELECT state, step, percent, attempts FROM jobs WHERE job_id = $1', [jobId])
    expect(row).toEqual({ state: 'done', step: 'half', percent: 100, attempts: 1 })
    expect(await traces('job plain')).toHaveLength(1)
  })

  it('is taken as soon as one before it is done', async () => {
    const began = performance.now()
    const names = Array.from({ length: 40 }, (_one, at) => `in a row ${at}`)
    await inZone(async ctx => {
      for (const name of names) await ctx.startJob(job(name))
    })
    await stage.settle()
    expect(runs.filter(one => one.startsWith('in a row')).sort()).toEqual(names.map(name => `${name} 1`).sort())
    // Whoever only looked again after his pause would need a minute for his twenty.
    expect(performance.now() - began).toBeLessThan(40_000)
  }, 90_000)

  it('is tried again after a failure', async () => {
    await inZone(ctx => ctx.startJob(job('second try', 'once')))
    await stage.settle()
    expect(runs.filter(one => one.startsWith('second try'))).toEqual(['second try 1', 'second try 2'])
    expect(await traces('job second try')).toHaveLength(1)
  })

  it('past its deadline is given up and says why', async () => {
    await inZone(ctx => ctx.startJob(job('too late', 'always', 1)))
    await stage.settle()
    expect(given.find(one => one.startsWith('too late'))).toBe('too late: the deadline has passed')
    expect(await traces('gave up too late')).toHaveLength(1)
  })

  it('whose every delivery died is failed by whoever looks next, and its subject is told', async () => {
    const jobId = await inZone(ctx => ctx.startJob({ ...job('hunted'), deadlineMs: 3_600_000 }))
    await stage.settle()
    // As four killed processes leave it: the queue has given up, the row still says that somebody is at work.
    await stage.sql(
      'CN',
      "UPDATE jobs SET state = 'running', attempts = 4, owner = 'dead', lease_until = $2, finished_at = NULL WHERE job_id = $1",
      [jobId, stage.clock.now() - 60_000],
    )
    await stage.booted.worker.sweep()
    await stage.settle()
    const [row] = await stage.sql('CN', 'SELECT state, error FROM jobs WHERE job_id = $1', [jobId])
    expect(row).toEqual({ state: 'failed', error: 'it was interrupted 4 times' })
    expect(given).toContain('hunted: it was interrupted 4 times')
  })

  it('whose owner died is taken over when the lease has run out, and not before', async () => {
    const jobId = await inZone(ctx => ctx.startJob(job('orphan')))
    await stage.settle()
    const abandon = `UPDATE jobs SET state = 'running', owner = 'dead', lease_until = $2 WHERE job_id = $1`
    await stage.sql('CN', abandon, [jobId, stage.clock.now() + 2_500])
    await inZone(ctx =>
      stage.booted.server.deliver('CN', jobId, (text, values) => ctx.transaction('CN').query(text, values)),
    )
    await stage.settle()
    const [row] = await stage.sql('CN', 'SELECT state, attempts FROM jobs WHERE job_id = $1', [jobId])
    expect(row).toEqual({ state: 'done', attempts: 2 })
  })
})

describe('use of something billed', () => {
  const used = () => stage.sql('CN', 'SELECT meter, day, amount FROM usage WHERE team_id = 7 ORDER BY day, meter')
  const asTeam = (act: (ctx: Context) => void) =>
    systemContext(stage.booted.server, 'CN', { name: 'test', teamId: '7' }).transact(async ctx => act(ctx))
  const count = (bytes: number) =>
    asTeam(ctx => {
      ctx.meter('bytes', bytes)
      ctx.meter('bytes', bytes)
      ctx.meter('calls', 1)
    })

  it('adds up by team, meter and UTC day, whoever counts at the same time', async () => {
    const day = new Date(stage.clock.now()).toISOString().slice(0, 10)
    await Promise.all(Array.from({ length: 10 }, () => count(5)))
    expect(await used()).toEqual([
      { meter: 'bytes', day, amount: '100' },
      { meter: 'calls', day, amount: '10' },
    ])
    stage.clock.turn(86_400_000)
    await count(1)
    expect(await used()).toHaveLength(4)
  })

  it('is not counted for what was rolled back', async () => {
    const before = await used()
    const failed = asTeam(ctx => {
      ctx.meter('bytes', 1_000)
      throw new Error('changed my mind')
    })
    await expect(failed).rejects.toThrow('changed my mind')
    expect(await used()).toEqual(before)
  })
})

describe('a sweep', () => {
  it('begins in its own part of the second, so that those of one second do not stand in the way of calls together', async () => {
    const apartMs = () => (sweptAt.size < 2 ? 0 : Math.abs(Number(sweptAt.get('last')) - Number(sweptAt.get('first'))))
    await expect.poll(apartMs, { timeout: 20_000 }).toBeGreaterThan(5)
  })

  it('runs in every zone', async () => {
    for (const zone of ['CN', 'DE'] as const) await stage.sql(zone, 'DELETE FROM traces')
    await stage.booted.worker.sweep()
    expect(await traces('sweep CN')).toHaveLength(1)
    expect(await stage.sql('DE', 'SELECT name FROM traces')).toEqual([{ name: 'sweep DE' }])
  })
})

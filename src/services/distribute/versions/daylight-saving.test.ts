import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const here = new URL('.', import.meta.url).href
const kernel = new URL('../../../kernel/', import.meta.url).href

/** Runs `body` in a process whose wall clock is that of a zone, with the functions that it names; what it answers is JSON. */
function on<T>(timeZone: string, body: string): T {
  const program = `import { moveRamp } from '${kernel}ramp/ramp.ts'
    import { firstDayEnds, rampOf } from '${here}phased/rules.ts'
    import { instantAt, wallTimeOf } from '${here}console/wall-clock.ts'
    process.stdout.write(JSON.stringify((() => { ${body} })()))`
  const env = { ...process.env, TZ: timeZone, NODE_OPTIONS: '' }
  return JSON.parse(
    execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], { env }).toString(),
  )
}

const utc = (text: string) => Date.parse(`${text}:00Z`)
const hour = 3_600_000

describe('over the change of the clocks', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
    'the days of a phased release are of 24 hours on a server in %s',
    timeZone => {
      const starts = [
        utc('2027-03-27T00:30'),
        utc('2027-03-13T18:00'),
        utc('2026-10-24T12:00'),
        utc('2026-10-03T09:00'),
      ]
      const days = on<number[][]>(
        timeZone,
        `return ${JSON.stringify(starts)}.map(start => {
          const due = []
          const first = { kind: 'CURVE7', state: 'RELEASE', percentBp: 100, day: 1, pausedAt: null, salt: 's' }
          let ramp = rampOf({ ...first, nextDayAt: firstDayEnds(start) })
          while (ramp.dueAt !== null) {
            due.push(ramp.dueAt)
            ramp = moveRamp(ramp, 'advance', ramp.dueAt)
          }
          return due
        })`,
      )
      expect(days).toEqual(starts.map(start => Array.from({ length: 6 }, (_, at) => start + (at + 1) * 24 * hour)))
    },
  )

  it('a release time of an hour that the clocks leave out is as much later, and is shown as that', () => {
    const [at, shown] = on<[number, object]>(
      'Europe/Berlin',
      "const at = instantAt({ date: '2027-03-28', time: '02:30' }); return [at, wallTimeOf(at)]",
    )
    expect([at, shown]).toEqual([utc('2027-03-28T01:30'), { date: '2027-03-28', time: '03:30' }])
  })

  it('a release time of an hour that comes twice is the first one', () => {
    const first = on<number>('Europe/Berlin', "return instantAt({ date: '2026-10-25', time: '02:30' })")
    expect(first).toBe(utc('2026-10-25T00:30'))
  })

  it('every other quarter of an hour of those days is read back as it was shown', () => {
    const days = [utc('2027-03-27T20:00'), utc('2026-10-24T20:00')]
    const wrong = on<number[]>(
      'Europe/Berlin',
      `return ${JSON.stringify(days)}.flatMap(day => Array.from({ length: 120 }, (_, at) => day + at * 900_000))
        .filter(at => instantAt(wallTimeOf(at)) !== at)`,
    )
    const repeated = Array.from({ length: 4 }, (_, at) => utc('2026-10-25T01:00') + at * 900_000)
    expect(wrong).toEqual(repeated)
  })
})

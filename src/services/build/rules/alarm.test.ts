import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { watchPublishes } from './alarm.ts'
import { compileSource } from './compile.ts'
import { rules } from './contract.ts'
import { checkCompiled } from './diagnostics.ts'
import { hasDenialsRisen } from './rules.ts'

const service = 'agc.cloud.storage' as const
const source = (condition: string) =>
  `agc.cloud.storage[ match: /{bucket}/{path=**} { allow read, write: if ${condition}; } ]`

let stage: Stage
let owner: Person
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
})
afterAll(() => stage.close())

let made = 0
async function published(): Promise<string> {
  const { projectId } = await owner.ok(projects, 'createProject', { body: { name: `Watched ${++made}` } })
  for (const [baseVersion, condition] of ['request.auth != null', 'request.auth.uid == "u1"'].entries())
    await owner.ok(rules, 'publishRules', { body: { projectId, service, source: source(condition), baseVersion } })
  return projectId
}

/** Decisions of a minute, counted from that of the publish. */
async function decided(projectId: string, minutes: number, allowed: number, denied: number) {
  const minute = Math.floor(stage.clock.now() / 60_000) + minutes
  await stage.sql(
    'CN',
    `INSERT INTO rules_minutes (project_id, service, minute, team_id, allowed, denied, errors) VALUES ($1, $2, $3, $4, $5, $6, 0)`,
    [projectId, service, minute, owner.teamId, allowed, denied],
  )
}

async function watch() {
  const ctx = systemContext(stage.booted.server, 'CN', { name: 'rules alarm' })
  await ctx.transact(inner => watchPublishes(inner))
  await stage.settle()
}

const notices = (projectId: string) =>
  stage.sql<{ href: string; title: { en: string } }>(
    'CN',
    `SELECT href, title FROM notices WHERE kind = 'rules.denialsRose' AND entity_id = $1`,
    [projectId],
  )

describe('a rise of denials after a publish', () => {
  it.each([
    [{ allowed: 95, denied: 5 }, { allowed: 50, denied: 50 }, true],
    [{ allowed: 95, denied: 5 }, { allowed: 96, denied: 19 }, false],
    [{ allowed: 95, denied: 5 }, { allowed: 900, denied: 50 }, false],
    [{ allowed: 50, denied: 50 }, { allowed: 40, denied: 60 }, false],
    [{ allowed: 0, denied: 0 }, { allowed: 0, denied: 20 }, true],
    [{ allowed: 80, denied: 20 }, { allowed: 60, denied: 40 }, true],
  ])('from %j to %j is told: %s', (before, after, isTold) => {
    expect(hasDenialsRisen(before, after)).toBe(isTold)
  })

  it('is told once to those who may publish, with the way to what was denied', async () => {
    const projectId = await published()
    await decided(projectId, -5, 200, 4)
    await decided(projectId, 2, 30, 60)
    await watch()
    await watch()
    const told = await notices(projectId)
    expect(told.map(one => one.href)).toEqual([`/projects/${projectId}/rules/storage?tab=requests`])
    expect(told[0]?.title.en).toContain('version 2')
  })

  it('is not told where as much was denied before, nor an hour later', async () => {
    const usual = await published()
    await decided(usual, -5, 100, 100)
    await decided(usual, 2, 40, 60)
    const late = await published()
    await decided(late, -5, 200, 4)
    await watch()
    stage.clock.turn(61 * 60_000)
    await decided(late, 0, 0, 100)
    await watch()
    expect([...(await notices(usual)), ...(await notices(late))]).toEqual([])
  })
})

describe('a conversion that SQL does not do exactly', () => {
  const fields = new Map([
    ['data.price', 'double'],
    ['data.stock', 'int'],
    ['data.at', 'timestamp'],
    ['data.title', 'string'],
  ] as const)
  const faults = (condition: string, methods = 'list') => {
    const text = `agc.cloud.db[\n  match: /{zone}/Item/{id} {\n    allow ${methods}: if ${condition};\n  }\n]`
    const { diagnostics } = checkCompiled(compileSource(text, 'agc.cloud.db'), text, [
      { path: ['main', 'Item'], fields },
    ])
    return diagnostics.filter(one => one.severity === 'ERROR').map(one => [one.code, one.line, one.col])
  }

  it.each([
    'string(resource.data.price) == "1.5"',
    'string(resource.data.at) == "x"',
    'int(resource.data.price) == 1',
    'int(resource.data.title) == 1',
    'double(resource.data.title) > 1.0',
    'resource.data.stock == 1 || string(resource.data.price).startsWith("1")',
  ])('is refused in a list before the publish, with its place: %s', condition => {
    const found = faults(condition)
    expect(found).toHaveLength(1)
    expect(found[0]?.slice(0, 2)).toEqual(['R006', 3])
  })

  it.each(['string(resource.data.stock) == "1"', 'double(resource.data.stock) > 0.5', 'int(resource.data.stock) == 1'])(
    'is taken where it is exact: %s',
    condition => {
      expect(faults(condition)).toEqual([])
    },
  )

  it('is taken where no list is asked for', () => {
    expect(faults('string(resource.data.price) == "1.5"', 'get')).toEqual([])
  })
})

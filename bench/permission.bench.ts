import { covers } from '../src/kernel/permissions.ts'
import { mayDo, permissionMatrix, rightsOf, teamRoles, toMemberScope } from '../src/services/ground/teams/rules.ts'

/**
 * Permission decisions in process: members of a team with 50 roles of its own, each member with up to five roles and a
 * scope of projects and apps; every decision is about a random permission on a random app.
 */
const wanted = 1_000_000
const permissions = Object.keys(permissionMatrix)
let seed = 42

function random(below: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed % below
}

const idOf = (at: number) => String(736_430_079_244_000_000n + BigInt(at))
const own: Record<string, string[]> = Object.fromEntries(
  Array.from({ length: 50 }, (_, at) => [idOf(at), permissions.filter(() => random(3) === 0)]),
)
const roleKeys = [...Object.keys(own), ...teamRoles.filter(role => role !== 'leader')]

function memberOf(at: number) {
  const roles = Array.from({ length: 1 + random(5) }, () => roleKeys[random(roleKeys.length)] ?? 'developer')
  const given =
    at % 10 === 0
      ? { all: true as const }
      : {
          projects: Array.from({ length: random(20) }, () => idOf(1_000 + random(200))),
          apps: Array.from({ length: random(50) }, () => idOf(10_000 + random(2_000))),
        }
  return { permissions: rightsOf(roles, own), scope: toMemberScope(given) }
}

const members = Array.from({ length: 500 }, (_, at) => memberOf(at))
const questions = Array.from({ length: 1 << 16 }, () => {
  const app = random(2_000)
  return {
    member: members[random(members.length)] ?? memberOf(0),
    permission: permissions[random(permissions.length)] ?? '',
    thing: { appId: idOf(10_000 + app), projectId: idOf(1_000 + (app % 200)) },
  }
})

function decide(rounds: number): { yes: number; ms: number } {
  let yes = 0
  const began = performance.now()
  for (let round = 0; round < rounds; round++) {
    for (const { member, permission, thing } of questions) if (mayDo(member, permission, thing)) yes++
  }
  return { yes, ms: performance.now() - began }
}

const expected = questions.filter(
  ({ member, permission, thing }) => member.permissions.has(permission) && covers(member.scope, thing),
).length
const warm = decide(1)
if (warm.yes !== expected) throw new Error(`${warm.yes} granted, ${expected} expected`)
decide(5)
const rates = Array.from({ length: 5 }, () => {
  const { ms } = decide(10)
  return (10 * questions.length * 1000) / ms
}).sort((a, b) => a - b)
const rate = rates[2] ?? 0
process.stdout.write(
  `permission decisions: ${(rate / 1e6).toFixed(1)} million a second (${rate >= wanted ? 'within' : 'UNDER'} ${wanted / 1e6}); ` +
    `50 own roles, 500 members with scopes, ${((100 * expected) / questions.length).toFixed(0)} % granted\n`,
)

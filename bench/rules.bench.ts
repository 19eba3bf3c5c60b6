import { compileSource } from '../src/services/build/rules/compile.ts'
import type { RuleColumn, RuleRequest } from '../src/services/build/rules/engine-types.ts'
import { decideWith } from '../src/services/build/rules/language/evaluate.ts'
import { writeFilter } from '../src/services/build/rules/sql/filter.ts'

/**
 * Decisions of rules in process: a ruleset of forty statements, requests of files that are allowed and denied, by signed-in
 * users and by nobody; then filters of lists, written anew for each request.
 */
const wanted = 300_000

const others = Array.from(
  { length: 34 },
  (_one, at) => `match: /{bucket}/area${at}/{owner}/{path=**} { allow read: if request.auth.uid == owner; }`,
)
const source = `agc.cloud.storage[
  function signedIn() { return request.auth != null; }
  function isImage() { return request.resource.contentType.matches('^image/(png|jpeg|webp)$') && request.resource.size < 5 * 1024 * 1024; }
  match: /{bucket}/public/{path=**} { allow get; allow list: if request.query.limit <= 100; }
  match: /{bucket}/users/{uid}/{path=**} {
    allow read, delete: if signedIn() && request.auth.uid == uid;
    allow create, update: if signedIn() && request.auth.uid == uid && isImage();
  }
  match: /{bucket}/shared/{path=**} { allow read: if resource.metadata.team in request.auth.token.teams; }
  ${others.join('\n  ')}
]`
const { program, problems } = compileSource(source, 'agc.cloud.storage')
if (problems.length > 0) throw new Error(problems[0]?.message)

const auth = { uid: 'u1', provider: 1, anonymous: false, token: { email: 'a@example.com', teams: ['red', 'blue'] } }
const base = { auth, app: null, ip: '203.0.113.7', time: 1_700_000_000_000 }
const image = { contentType: 'image/png', size: 20_000, name: 'a.png' }
const requests: RuleRequest[] = [
  { ...base, method: 'get', path: ['b', 'users', 'u1', 'a.png'], resource: image },
  { ...base, method: 'get', path: ['b', 'users', 'u2', 'a.png'], resource: image },
  { ...base, method: 'get', path: ['b', 'public', 'x', 'a.png'], resource: image },
  { ...base, method: 'create', path: ['b', 'users', 'u1', 'a.png'], requestResource: image },
  { ...base, method: 'get', path: ['b', 'shared', 'a.png'], resource: { ...image, metadata: { team: 'red' } } },
  { ...base, method: 'get', path: ['b', 'area7', 'u1', 'x'], resource: image },
  { ...base, method: 'get', path: ['b', 'none', 'x'], resource: image },
  { ...base, method: 'get', path: ['b', 'users', 'u1', 'a.png'], resource: image, auth: null },
]

/** The middle of five runs, a second. */
function rateOf(rounds: number, perRound: number, run: () => void): number {
  for (let round = 0; round < rounds / 4; round++) run()
  const rates = Array.from({ length: 5 }, () => {
    const began = performance.now()
    for (let round = 0; round < rounds; round++) run()
    return (rounds * perRound * 1000) / (performance.now() - began)
  })
  return rates.sort((a, b) => a - b)[2] ?? 0
}

let allowed = 0
for (const request of requests) if (decideWith(program, request, null).allowed) allowed++
if (allowed !== 5) throw new Error(`${allowed} of ${requests.length} allowed, 5 expected`)

const decisions = rateOf(60_000, requests.length, () => {
  for (const request of requests) decideWith(program, request, null)
})
process.stdout.write(
  `decisions of rules: ${Math.round(decisions / 1000)} thousand a second (${decisions >= wanted ? 'within' : 'UNDER'} ${wanted / 1000}); ` +
    `${program.statements.length} statements, ${allowed} of ${requests.length} requests allowed\n`,
)

const posts = compileSource(
  `agc.cloud.db[ match: /{zone}/Post/{id} {
    allow list: if resource.data.published == true || (request.auth != null && resource.data.author == request.auth.uid);
  } ]`,
  'agc.cloud.db',
).program
const columns = new Map<string, RuleColumn>([
  ['data.published', { sql: 't."published"', type: 'bool' }],
  ['data.author', { sql: 't."author"', type: 'string' }],
  ['data.id', { sql: 't."id"', type: 'int' }],
])
const list: RuleRequest = { ...base, method: 'list', path: ['main', 'Post'], openPath: ['data.id'] }
const filters = rateOf(40_000, 1, () => void writeFilter(posts, list, columns, 1, null))
const { text } = writeFilter(posts, list, columns, 1, null)
process.stdout.write(`filters of lists: ${Math.round(filters / 1000)} thousand a second; ${text}\n`)

import http from 'node:http'
import { dgsProjectApis } from '../src/services/ground/projects/api/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { asked } from './app-rows.ts'
import { type Figure, inTurns, median, residentMb, startProgram, type Target } from './measure.ts'
import { type Stand, withStand } from './stand.ts'
import { openUnleashFlags, unleashFolder } from './unleash-flags.ts'

/**
 * A hundred flags evaluated for one context in one call of the OpenFeature protocol: beside a bare Fastify that answers a
 * constant of that size, and beside the front-end API of unleash-server where it is installed. Then 5,000 listeners: what
 * they take of memory, and how soon a publish is with the last of them. The listeners are in this process.
 */
const flags = Array.from({ length: 100 }, (_one, at) => `flag_${at}`)
const rounds = 3
const seconds = 3
const listeners = 5_000
const publishes = 10
const wanted = { unleash: 5, bare: 0.5, listenersMb: 300 }
const context = { userId: 'user-4711', country: 'DE', appVersion: '1.10.2' }

const conditionsOf = (flag: string) => [
  {
    name: `${flag} targeted`,
    rule: {
      op: 'and',
      args: [
        { attr: 'country', op: 'in', value: ['DE', 'FR', 'SG'] },
        { attr: 'appVersion', op: 'semver_gt', value: '1.2.0' },
      ],
    },
  },
  {
    name: `${flag} half`,
    rule: {
      attr: 'userId',
      op: 'percent',
      value: { ns: 'rollout', seed: flag, unitAttr: 'userId', lo: 0, hi: 50 },
    },
  },
]

const template = (text: string) => ({
  conditions: flags.flatMap(conditionsOf).map(one => ({ ...one, tagColor: 'CYAN', seed: one.name, description: '' })),
  parameters: Object.fromEntries(
    flags.map(flag => [
      flag,
      {
        ...{ valueType: 'STRING', schema: null, default: { value: text } },
        conditional: { [`${flag} targeted`]: { value: 'value on' }, [`${flag} half`]: { value: 'value half' } },
        ...{ group: null, description: '', owner: null, expiresAt: null },
      },
    ]),
  ),
  groups: {},
})

async function openFlags({ address, headers }: Stand) {
  const make = <T>(prefix: string, path: string, body: object) =>
    asked<T>(`${address}${prefix}${path}`, 'POST', headers, body)
  const { projectId } = await make<{ projectId: string }>(projects.prefix, '/projects', { name: 'Bench' })
  await make(dgsProjectApis.prefix, '/project-api', { projectId, apiIds: ['remote-config'] })
  const key = { projectId, name: 'Bench' }
  const { apiKey } = await make<{ apiKey: string }>(dgsProjectApis.prefix, '/api-key', key)
  const url = `${address}/rcs/v1/projects/${projectId}/template`
  const publish = (text: string) => asked(url, 'PUT', { ...headers, 'if-match': '*' }, template(text))
  await publish('first')
  return { publish, headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' } }
}

function tell(figures: { ours: Figure; peer: Figure }, least: number): void {
  const { ours, peer } = figures
  const one = ({ name, cpuUs, callsPerSecond, refused }: Figure) =>
    `${name} ${cpuUs.toFixed(0)} µs CPU a call, ${callsPerSecond.toFixed(0)}/s${refused ? `, ${refused} REFUSED` : ''}`
  const ratio = peer.cpuUs / ours.cpuUs
  process.stdout.write(
    `${flags.length} flags: ${ratio.toFixed(2)} times ${peer.name} by CPU time (${ratio >= least ? 'within' : 'BELOW'} ${least}), ` +
      `${(ours.callsPerSecond / peer.callsPerSecond).toFixed(2)} by calls a second; ${one(ours)}; ${one(peer)}\n`,
  )
}

/** Opens streams and calls whoever wants to hear of each event. */
async function listen(url: string, hear: () => void): Promise<() => void> {
  const agent = new http.Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })
  const requests: http.ClientRequest[] = []
  const open = () =>
    new Promise<void>((resolve, reject) => {
      const request = http.get(url, { agent }, reply => {
        if (reply.statusCode !== 200) reject(new Error(`a stream answered ${reply.statusCode}`))
        reply.on('data', chunk => String(chunk).includes('refetchEvaluation') && hear())
        reply.once('data', () => resolve())
        reply.on('error', () => undefined)
      })
      request.on('error', reject)
      requests.push(request)
    })
  while (requests.length < listeners) await Promise.all(Array.from({ length: 100 }, open))
  return () => {
    for (const request of requests) request.destroy()
  }
}

async function streams(stand: Stand, requestUri: string, publish: (text: string) => Promise<object>): Promise<void> {
  let heard = 0
  let lastAt = 0
  const before = residentMb(stand.pid)
  const end = await listen(stand.address + requestUri, () => {
    heard++
    lastAt = performance.now()
  })
  const grown = residentMb(stand.pid) - before
  const times: number[] = []
  for (let round = 0; round < publishes; round++) {
    heard = 0
    const began = performance.now()
    await publish(`publish ${round}`)
    while (heard < listeners && performance.now() - began < 10_000) await new Promise(resolve => setTimeout(resolve, 5))
    times.push(heard < listeners ? Number.POSITIVE_INFINITY : lastAt - began)
  }
  const after = residentMb(stand.pid) - before
  end()
  process.stdout.write(
    `${listeners} streams: ${grown.toFixed(0)} MB (${grown <= wanted.listenersMb ? 'within' : 'OVER'} ${wanted.listenersMb}), ` +
      `${after.toFixed(0)} MB after ${publishes} publishes; a publish of ${flags.length} flags is with the last of them after ` +
      `${median(times).toFixed(0)} ms, the slowest ${Math.max(...times).toFixed(0)} ms\n`,
  )
}

await withStand(async stand => {
  const { publish, headers } = await openFlags(stand)
  const url = `${stand.address}/ofrep/v1/evaluate/flags`
  const body = JSON.stringify({ context: { targetingKey: context.userId, ...context } })
  const answer = await (await fetch(url, { method: 'POST', headers, body })).text()
  const { flags: got, eventStreams } = JSON.parse(answer)
  if (got.filter((one: { value?: unknown }) => one.value === 'value on').length !== flags.length)
    throw new Error(`not all flags are on: ${answer.slice(0, 500)}`)
  const ours: Target = { name: 'Loggia', pid: stand.pid, request: { url, method: 'POST', headers, body } }
  const bare = await startProgram('constant-server.ts', { ANSWER: answer })
  const request = { url: `${bare.address}/update`, method: 'POST' as const, headers, body }
  const fair = { name: 'constant', pid: bare.pid, request }
  tell(await inTurns(ours, fair, rounds, seconds), wanted.bare)
  await bare.end()
  if (unleashFolder === undefined) {
    process.stdout.write(
      'not beside unleash-server: npm install --ignore-scripts --prefix DIR unleash-server@8.2.0, then UNLEASH_SERVER=DIR\n',
    )
  } else {
    const peer = await openUnleashFlags(stand, flags, context)
    const theirs = { name: 'unleash-server', pid: peer.pid, request: peer.request }
    tell(await inTurns(ours, theirs, rounds, seconds), wanted.unleash)
    await peer.end()
  }
  await streams(stand, eventStreams[0].endpoint.requestUri, publish)
})

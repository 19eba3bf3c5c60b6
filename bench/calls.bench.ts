import { apps } from '../src/services/distribute/apps/contract.ts'
import { objectUploads } from '../src/services/ground/files/uploads/contract.ts'
import type { BareCall } from './bare-server.ts'
import { inTurns, memoryMb, print, startProgram, words } from './measure.ts'
import { record } from './recorded.ts'
import { withStand } from './stand.ts'

/**
 * A validated, authenticated POST that inserts one row (an address to upload to) and a list of 20 (the apps of a team),
 * against a bare Fastify and pg that ask PostgreSQL the very same.
 */
await withStand(async ({ address, pid, env, databases, headers }) => {
  await new Promise(resolve => setTimeout(resolve, 15_000))
  const atRest = memoryMb(pid)
  process.stdout.write(
    `memory of the server at rest: ${atRest.toFixed(0)} MB (${atRest <= 250 ? 'within' : 'OVER'} 250)\n`,
  )
  const json = { 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const reply = await fetch(address + path, {
      method: 'POST',
      headers: { ...headers, ...json },
      body: JSON.stringify(body),
    })
    if (reply.status !== 200) throw new Error(`${path} answered ${await reply.text()}`)
    return (await reply.json()) as Record<string, string>
  }
  const { projectId } = await post('/cpms/project-management-service/v1/projects', { name: 'Measured' })
  for (let number = 1; number <= 20; number++) {
    const app = { name: `App ${number}`, packageType: 'ANDROID', defaultLang: 'enUS', deviceTypes: [4] }
    await post(apps.prefix + apps.calls.createApp.path, { ...app, projectId, kindMainTag: 10101 })
  }

  const { makeAddress } = objectUploads.calls
  const { listApps } = apps.calls
  const wanted = { fileName: 'measured.apk', size: 1_000_000, sha256: 'a'.repeat(64) }
  const asked = [
    { call: makeAddress, url: objectUploads.prefix + makeAddress.path, payload: wanted },
    { call: listApps, url: `${apps.prefix}${listApps.path}?pageSize=20` },
  ]
  const recorded = await record(
    env,
    databases,
    asked.map(({ call, url, payload }) => ({
      method: call.method,
      url,
      headers: payload ? { ...headers, ...json } : headers,
      ...(payload ? { payload } : {}),
    })),
  )
  const bareCalls: BareCall[] = recorded.map((one, at) => {
    const { call, url, payload } = asked[at] as (typeof asked)[number]
    return {
      ...one,
      method: call.method,
      path: url.split('?')[0] as string,
      response: call.answer,
      ...(payload ? { body: makeAddress.body } : {}),
    }
  })
  const bare = await startProgram('bare-server.ts', { ...env, CALLS: JSON.stringify(bareCalls) })
  const token = { 'x-token': 'token' }
  for (const [at, title] of ['POST that inserts one row', 'list of 20'].entries()) {
    const { call, url, payload } = asked[at] as (typeof asked)[number]
    const statements = recorded[at]?.statements.length ?? 0
    const rest = {
      method: call.method,
      ...(payload ? { body: JSON.stringify(payload) } : {}),
    }
    const type = payload ? json : {}
    const result = await inTurns(
      { name: 'Loggia', pid, request: { ...rest, url: address + url, headers: { ...headers, ...type } } },
      { name: 'bare', pid: bare.pid, request: { ...rest, url: bare.address + url, headers: { ...token, ...type } } },
      9,
      2,
    )
    if (result.peer.refused > 0) throw new Error('the bare server refused calls')
    print(`${title} (${statements} statements)`, result.ratio, 1.6, words(result))
  }
  await bare.end()
})

import type { IncomingHttpHeaders } from 'node:http'
import { boot } from '../src/server/boot.ts'
import { readConfig } from '../src/server/config.ts'
import { gatekeeperOf, services } from '../src/services/all.server.ts'
import { CallerJudge } from '../src/services/build/app-auth/caller.ts'
import { inTurns, median, print, startProgram, words } from './measure.ts'
import { type Stand, withStand } from './stand.ts'

/**
 * The door of everything that apps call: who calls, by the token of the app and the token of its user. In process, with
 * tokens that are known and tokens that come for the first time; then as a call through HTTP, beside a bare Fastify that
 * verifies the same two tokens with jose each time.
 */
const users = 200
const wanted = { known: 200_000, fresh: 500 }
const limit = 1

type Json = Record<string, never> & Record<string, string>

await withStand(async stand => {
  const headers = await callers(stand)
  await inProcess(stand, headers)
  await throughHttp(stand, headers)
})

async function send(stand: Stand, method: 'GET' | 'POST', path: string, body?: object, own?: Record<string, string>) {
  const reply = await fetch(stand.address + path, {
    method,
    headers: { ...(own ?? stand.headers), ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: reply.status, body: (await reply.json()) as Json }
}

/** Users of an app without a name, each with the headers that a device sends. */
async function callers(stand: Stand): Promise<Record<string, string>[]> {
  const made = await send(stand, 'POST', '/cpms/project-management-service/v1/projects', { name: 'Called' })
  const { projectId = '' } = made.body
  const { client_id, client_secret } = await clientOf(stand, projectId)
  await send(stand, 'POST', '/tas/third-auth-service/v1/auth-method', { projectId, provider: 0, enabled: true })
  const given = { grant_type: 'client_credentials', client_id, client_secret, useJwt: 1 }
  const { body } = await send(stand, 'POST', '/agc/apigw/oauth2/v1/token', given, {})
  const authorization = `Bearer ${body['access_token']}`
  const list: Record<string, string>[] = []
  for (let n = 0; n < users; n++) {
    const path = `/agc/apigw/oauth2/third/v1/user-signin-anonymous?productId=${projectId}`
    const signedIn = await send(stand, 'POST', path, {}, { authorization })
    const { token } = signedIn.body['accessToken'] as unknown as { token: string }
    list.push({ authorization, access_token: token, productid: projectId })
  }
  return list
}

async function clientOf(stand: Stand, projectId: string): Promise<Record<string, string>> {
  const app = {
    projectId,
    name: 'Called',
    packageType: 'ANDROID',
    defaultLang: 'enUS',
    deviceTypes: [4],
    kindMainTag: 10101,
  }
  const { appId } = (await send(stand, 'POST', '/amis/app-manage/v1/app', app)).body
  const files = '/cpms/project-management-service/v1/config-files'
  for (;;) {
    // The project hears of its app by event.
    const { status, body } = await send(stand, 'POST', files, { projectId, appId, packageName: 'com.example.called' })
    if (status === 200) {
      const query = new URLSearchParams({ projectId, configFileId: body['configFileId'] ?? '' })
      return (await send(stand, 'GET', `${files}/download?${query}`)).body['client'] as never
    }
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

async function inProcess(stand: Stand, headers: readonly IncomingHttpHeaders[]): Promise<void> {
  const config = readConfig({ ...stand.env, PORT: '0', ZONES: 'CN', LOG_LEVEL: 'warn' })
  const issued = { ...config, publicUrl: await issuerUrl(stand) }
  const { server, close } = await boot(issued, stand.databases, { services, gatekeeperOf })
  try {
    const rateOf = async (rounds: number, judgeOf: () => CallerJudge) => {
      const rates: number[] = []
      for (let run = 0; run < 5; run++) {
        const judge = judgeOf()
        const began = performance.now()
        for (let round = 0; round < rounds; round++) for (const one of headers) await judge.judge(one)
        rates.push((rounds * headers.length * 1000) / (performance.now() - began))
      }
      return median(rates)
    }
    const known = new CallerJudge(server)
    await rateOf(2, () => known)
    const rates = { known: await rateOf(500, () => known), fresh: await rateOf(1, () => new CallerJudge(server)) }
    for (const kind of ['known', 'fresh'] as const) {
      const verdict = rates[kind] >= wanted[kind] ? 'within' : 'UNDER'
      process.stdout.write(
        `callers judged in process, tokens ${kind}: ${rates[kind].toFixed(0)} a second (${verdict} ${wanted[kind]})\n`,
      )
    }
  } finally {
    await close()
  }
}

async function issuerUrl(stand: Stand): Promise<string> {
  const { body } = await send(stand, 'GET', '/cn/app-auth/.well-known/openid-configuration')
  return (body['issuer'] ?? '').slice(0, -'/cn/app-auth'.length)
}

async function throughHttp(stand: Stand, headers: readonly Record<string, string>[]): Promise<void> {
  const issuer = await issuerUrl(stand)
  const keys = await send(stand, 'GET', '/cn/app-auth/.well-known/jwks.json')
  const ours = await startProgram('caller-server.ts', { ...stand.env, ISSUER_URL: issuer })
  const bare = await startProgram('bare-jwt-server.ts', {
    KEYS: JSON.stringify(keys.body),
    ISSUER: `${issuer}/cn/app-auth`,
  })
  try {
    const target = (name: string, { address, pid }: { address: string; pid: number }) => ({
      ...{ name, pid },
      request: { url: address, requests: headers.map(one => ({ path: '/bench/door', headers: one })) },
    })
    const result = await inTurns(target('loggia', ours), target('fastify + jose', bare))
    print('who calls, through HTTP', result.ratio, limit, words(result))
  } finally {
    await Promise.all([ours.end(), bare.end()])
  }
}

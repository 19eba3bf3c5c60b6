import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { projects } from '../projects/contract.ts'
import { accountCalls as accountDesk } from '../session/accounts/contract.ts'
import { members } from '../teams/members/contract.ts'
import { roles } from '../teams/roles/contract.ts'
import { askToken, callWith, listProjects, type Made, newClient, tokenOf } from './clients.testkit.ts'
import { apiClients } from './contract.ts'
import { debugCredentials } from './debug/contract.ts'
import { clientGrantCalls } from './grants/contract.ts'
import { clientKeyCalls } from './keys/contract.ts'
import { userClients } from './user-clients/contract.ts'

let stage: Stage
let owner: Person
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
})
afterAll(() => stage.close())

const status = async (token: string, app = stage.app, request = listProjects) =>
  (await callWith(app, token, request)).statusCode
const createProject = (name: string) => ({
  method: 'POST' as const,
  url: '/cpms/project-management-service/v1/projects',
  payload: { name },
})
const change = (made: Made, body: Record<string, unknown>) =>
  owner.ok(apiClients, 'updateClient', { body: { clientId: made.clientId, revision: made.revision, ...body } as never })

describe('a client of a team', () => {
  it('acts with a token alone: no cookie, no CSRF header, the team from the token', async () => {
    const made = await newClient(owner)
    const token = await tokenOf(stage.app, made)
    const reply = await callWith(stage.app, token, createProject('Made by a program'))
    expect(reply.json()).toMatchObject({ ret: { code: 0 }, name: 'Made by a program' })
    const rows = await stage.sql('home', `SELECT actor FROM audit WHERE entity_id = $1`, [reply.json().projectId])
    expect(rows).toEqual([{ actor: `client:${made.clientId}` }])
  })

  it('has its secret shown once and kept as argon2id', async () => {
    const made = await newClient(owner)
    expect(made.secret).toMatch(/^lgs_/)
    const read = await owner.call(apiClients, 'getClient', { query: { clientId: made.clientId } })
    expect(read.text).not.toContain(made.secret)
    const [row] = await stage.sql<{ hash: string }>('home', 'SELECT hash FROM client_secrets WHERE client_id = $1', [
      made.clientId,
    ])
    expect(row?.hash).toMatch(/^\$argon2id\$/)
  })

  it('may do what it was granted and nothing else', async () => {
    const token = await tokenOf(stage.app, await newClient(owner, { permissions: ['projects.read'] }))
    expect(await status(token)).toBe(200)
    const reply = await callWith(stage.app, token, createProject('Too much'))
    expect([reply.statusCode, reply.json().ret]).toMatchObject([403, { code: 200000032 }])
  })

  it('gets less than it holds where it asks for less, and never more', async () => {
    const made = await newClient(owner)
    const token = await tokenOf(stage.app, made, { scope: 'projects.read' })
    expect(await status(token, stage.app, createProject('Not asked for'))).toBe(403)
    const more = await askToken(stage.app, made, { scope: 'projects.read apps.read' })
    expect([more.statusCode, more.json().error]).toEqual([400, 'invalid_scope'])
  })

  it('is kept to its projects as a member is to his scope', async () => {
    const inside = await owner.ok(projects, 'createProject', { body: { name: 'Inside' } })
    const outside = await owner.ok(projects, 'createProject', { body: { name: 'Outside' } })
    await stage.settle()
    const made = await newClient(owner, { permissions: ['projects.read'], scope: { projects: [inside.projectId] } })
    const token = await tokenOf(stage.app, made)
    const reply = await callWith(stage.app, token, listProjects)
    expect(reply.body).toContain(inside.projectId)
    expect(reply.body).not.toContain(outside.projectId)
  })

  it('cannot be given rights above those of its maker, nor those of persons', async () => {
    const admin = await stage.person({ team: owner.teamId, roles: ['administrator'] })
    for (const permission of ['teams.transfer', 'teams.members', 'apiClients.edit', 'no.such']) {
      const reply = await owner.call(apiClients, 'createClient', {
        body: { name: 'Too strong', permissions: [permission] },
      })
      expect([reply.status, reply.body.ret.code]).toEqual([403, 201120002])
    }
    const developer = await stage.person({ team: owner.teamId, roles: ['developer'] })
    const own = await developer.call(userClients, 'createUserClient', {
      body: { name: 'Mine', permissions: ['projects.delete'] },
    })
    expect(own.status).toBe(403)
    expect(
      (await admin.call(apiClients, 'createClient', { body: { name: 'Fine', permissions: ['teams.edit'] } })).status,
    ).toBe(200)
  })

  it('loses what its maker loses, at once, and waits for somebody to take it over', async () => {
    const maker = await stage.person({ team: owner.teamId, roles: ['administrator'] })
    const made = await newClient(maker)
    const token = await tokenOf(stage.app, made)
    expect(await status(token)).toBe(200)
    await owner.ok(members, 'removeMember', { query: { accountId: maker.accountId } })
    const reply = await callWith(stage.app, token, listProjects)
    expect([reply.statusCode, reply.json().reason]).toEqual([401, 'nobody answers for it'])
    expect((await askToken(stage.app, made)).json().error).toBe('unauthorized_client')
    const shown = await owner.ok(apiClients, 'getClient', { query: { clientId: made.clientId } })
    expect([shown.grantedBy?.isMember, shown.permissionsNow, shown.allowedActions.includes('takeOver')]).toEqual([
      false,
      [],
      true,
    ])
    await change(made, { action: 'takeOver' })
    expect(await status(token)).toBe(200)
  })

  it('has two secrets for the hours of a rotation, then one', async () => {
    const made = await newClient(owner)
    const { clientSecret, client } = await change(made, { action: 'rotate', overlapHours: 2 })
    const next = { ...made, secret: clientSecret ?? '', revision: client.revision }
    expect(client.secrets).toHaveLength(2)
    for (const one of [made, next]) expect((await askToken(stage.app, one)).statusCode).toBe(200)
    stage.clock.turn(2 * 3_600_000 + 1)
    expect((await askToken(stage.app, made)).statusCode).toBe(401)
    expect((await askToken(stage.app, next)).statusCode).toBe(200)
  })

  it('rotated without overlap loses its old secret and every token', async () => {
    owner = await stage.person()
    const made = await newClient(owner)
    const token = await tokenOf(stage.app, made)
    const { clientSecret } = await change(made, { action: 'rotate', overlapHours: 0 })
    expect(await status(token)).toBe(401)
    expect((await askToken(stage.app, made)).statusCode).toBe(401)
    expect(await status(await tokenOf(stage.app, { ...made, secret: clientSecret ?? '' }))).toBe(200)
  })

  it('disabled or deleted is refused on every process within a second', async () => {
    const other = await stage.another()
    for (const end of ['disable', 'delete'] as const) {
      const made = await newClient(owner)
      const token = await tokenOf(other.app, made)
      expect([await status(token), await status(token, other.app)]).toEqual([200, 200])
      if (end === 'disable') await change(made, { action: 'disable' })
      else await owner.ok(apiClients, 'deleteClient', { query: { clientId: made.clientId } })
      expect(await status(token)).toBe(401)
      const until = Date.now() + 1_000
      while ((await status(token, other.app)) !== 401) expect(Date.now()).toBeLessThan(until)
    }
  })

  it('runs out when its life is over, and so do its tokens', async () => {
    const { client, clientSecret } = await owner.ok(apiClients, 'createClient', {
      body: { name: 'For a day', permissions: ['projects.read'], lifeDays: 1 },
    })
    const made = { clientId: client.clientId, secret: clientSecret ?? '', revision: 1 }
    stage.clock.turn(86_400_000 - 600_000)
    const reply = await askToken(stage.app, made)
    expect(reply.json().expires_in).toBeLessThanOrEqual(600)
    stage.clock.turn(601_000)
    expect((await askToken(stage.app, made)).json().error).toBe('invalid_client')
    const late = await callWith(stage.app, reply.json().access_token, listProjects)
    expect([late.statusCode, late.headers['x-auth-reason'], late.json().ret.code]).toEqual([
      401,
      'accessToken invalid',
      205524994,
    ])
    owner = await stage.person()
  })

  it('is refused a stale change, and a sixth key', async () => {
    const made = await newClient(owner)
    await change(made, { name: 'Renamed' })
    const stale = await owner.call(apiClients, 'updateClient', {
      body: { clientId: made.clientId, revision: made.revision, name: 'Again' },
    })
    expect(stale.status).toBe(409)
    for (let at = 0; at < 5; at++)
      await owner.ok(clientKeyCalls, 'createKeyPair', { body: { clientId: made.clientId, name: `Key ${at}` } })
    const sixth = await owner.call(clientKeyCalls, 'createKeyPair', { body: { clientId: made.clientId, name: 'Six' } })
    expect([sixth.status, sixth.body.ret.code]).toEqual([422, 201120004])
  })
})

describe('what a client proves itself with', () => {
  it('is not handed to who holds less than the client does', async () => {
    const { role } = await owner.ok(roles, 'createRole', {
      body: { name: 'Clerk', permissions: ['apiClients.read', 'apiClients.edit'] },
    })
    const clerk = await stage.person({ team: owner.teamId, roles: [role as never] })
    const made = await newClient(owner)
    const { clientId, revision } = made
    const shown = await clerk.ok(apiClients, 'getClient', { query: { clientId } })
    expect(shown.allowedActions).not.toContain('rotate')
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const replies = [
      await clerk.call(apiClients, 'updateClient', { body: { clientId, revision, action: 'rotate' } }),
      await clerk.call(clientKeyCalls, 'createKeyPair', { body: { clientId, name: 'Key' } }),
      await clerk.call(clientKeyCalls, 'registerPublicKey', { body: { clientId, name: 'Key', publicKey: pem } }),
    ]
    expect(replies.map(one => [one.status, one.body.ret.code])).toEqual(Array(3).fill([403, 201120002]))
    expect((await askToken(stage.app, made)).statusCode).toBe(200)
  })
})

describe('what has ended takes its clients along:', () => {
  const tell = async (type: string, entity: string, entityId: string) => {
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test' })
    await ctx.transact(async inner => inner.emit({ type, entity, entityId }, 'home'))
    await stage.settle()
  }

  it('an erased account those that acted as it, and those of the team wait for somebody; a deleted team all', async () => {
    const leader = await stage.person()
    const { client, clientSecret } = await leader.ok(userClients, 'createUserClient', {
      body: { name: 'Mine', permissions: ['projects.read'] },
    })
    const own = { clientId: client.clientId, secret: clientSecret ?? '', revision: 1 }
    const ofTeam = await newClient(leader)
    const tokens = [await tokenOf(stage.app, own), await tokenOf(stage.app, ofTeam)] as const
    await tell('session.account_erased', 'account', leader.accountId)
    const reasons = await Promise.all(
      tokens.map(async one => (await callWith(stage.app, one, listProjects)).json().reason),
    )
    expect(reasons).toEqual(['revoked', 'nobody answers for it'])
    await tell('team.deleted', 'team', leader.teamId)
    const late = await callWith(stage.app, tokens[1], listProjects)
    expect(late.json().reason).toBe('revoked')
    const left = await stage.sql('home', 'SELECT 1 FROM api_clients WHERE team_id = $1', [leader.teamId])
    expect(left).toEqual([])
  })
})

describe('what a client of one person does', () => {
  it('is done as that person, with no more than he may do now, and is seen by nobody else', async () => {
    const developer = await stage.person({ team: owner.teamId, roles: ['developer'] })
    const { client, clientSecret } = await developer.ok(userClients, 'createUserClient', {
      body: { name: 'My laptop', permissions: ['projects.read', 'projects.create'] },
    })
    const made = { clientId: client.clientId, secret: clientSecret ?? '', revision: 1 }
    const token = await tokenOf(stage.app, made)
    expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub).toBe(developer.accountId)
    expect(await status(token)).toBe(200)
    expect((await owner.call(userClients, 'getUserClient', { query: { clientId: client.clientId } })).status).toBe(404)
    expect((await owner.ok(userClients, 'listUserClients', {})).total).toBe(0)
    await owner.ok(members, 'updateMember', {
      body: { accountId: developer.accountId, roles: ['analyst'], revision: 1 },
    })
    expect(await status(token, stage.app, createProject('No longer'))).toBe(403)
    const staff = await stage.person({ staff: ['storeAdministrator'] })
    const [row] = await stage.sql<{ revision: number }>('home', 'SELECT revision FROM accounts WHERE account_id = $1', [
      developer.accountId,
    ])
    await staff.ok(accountDesk, 'setAccountStatus', {
      params: { accountId: developer.accountId },
      body: { status: 4, revision: row?.revision ?? 1 },
    })
    expect(await status(token)).toBe(401)
  })
})

describe('a debug credential', () => {
  it('is good for ten minutes and one project, carries its watermark, and can be ended', async () => {
    const one = await owner.ok(projects, 'createProject', { body: { name: 'Under test' } })
    const two = await owner.ok(projects, 'createProject', { body: { name: 'Another one' } })
    const { accessToken, credential } = await owner.ok(debugCredentials, 'createDebugCredential', {
      body: { projectId: one.projectId },
    })
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ watermark: 'LOGGIA-DEBUG-ONLY', project: one.projectId })
    expect(claims.exp - claims.iat).toBe(600)
    const reply = await callWith(stage.app, accessToken, listProjects)
    expect(reply.body).toContain(one.projectId)
    expect(reply.body).not.toContain(two.projectId)
    expect((await owner.ok(debugCredentials, 'listDebugCredentials', {})).list).toHaveLength(1)
    await owner.ok(debugCredentials, 'revokeDebugCredential', { query: { credentialId: credential.credentialId } })
    expect(await status(accessToken)).toBe(401)
    const next = await owner.ok(debugCredentials, 'createDebugCredential', { body: { projectId: one.projectId } })
    stage.clock.turn(600_001)
    expect(await status(next.accessToken)).toBe(401)
    owner = await stage.person()
  })
})

describe('a grant by another team', () => {
  it('lets a client in by a signed address, once, and ends when it is taken back', async () => {
    const stranger = await stage.person()
    const theirs = await stranger.ok(projects, 'createProject', { body: { name: 'Theirs' } })
    const made = await newClient(owner, { permissions: ['projects.read'] })
    const { url } = await owner.ok(clientGrantCalls, 'getGrantUrl', {
      query: { clientId: made.clientId, permissions: 'projects.read,projects.create' },
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    })
    expect(url).toMatch(/^http:\/\/localhost:8080\/#\/api-clients\/grant\?token=/)
    const token = url.split('token=')[1] ?? ''
    const asked = await stranger.ok(clientGrantCalls, 'readGrantRequest', { query: { token } })
    expect(asked).toMatchObject({ clientId: made.clientId, clientTeamId: owner.teamId })
    const own = await owner.call(clientGrantCalls, 'readGrantRequest', { query: { token } })
    expect(own.body.ret.code).toBe(201120008)
    const body = { token, permissions: ['projects.read'], scope: { all: true } }
    const more = await stranger.call(clientGrantCalls, 'acceptGrant', { body: { ...body, permissions: ['apps.read'] } })
    expect(more.status).toBe(400)
    const { grantId } = await stranger.ok(clientGrantCalls, 'acceptGrant', { body })
    expect((await stranger.call(clientGrantCalls, 'acceptGrant', { body })).body.ret.code).toBe(201120007)
    const access = await tokenOf(stage.app, made, { team: stranger.teamId })
    expect((await callWith(stage.app, access, listProjects)).body).toContain(theirs.projectId)
    for (const who of [owner, stranger]) {
      const records = await who.ok(clientGrantCalls, 'listGrantRecords', { query: { clientId: made.clientId } })
      expect(records.list[0]).toMatchObject({ grantId, grantedBy: { accountId: stranger.accountId }, endedAt: null })
    }
    await stranger.ok(clientGrantCalls, 'endGrant', { query: { grantId } })
    expect(await status(access)).toBe(401)
    expect((await askToken(stage.app, made, { team: stranger.teamId })).json().error).toBe('unauthorized_client')
  })

  it('is refused for an address that was changed or has run out', async () => {
    const stranger = await stage.person()
    const made = await newClient(owner)
    const { url } = await owner.ok(clientGrantCalls, 'getGrantUrl', {
      query: { clientId: made.clientId, permissions: 'projects.read' },
    })
    const token = url.split('token=')[1] ?? ''
    const [payload = '', mac] = token.split('.')
    const bent = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = `${Buffer.from(JSON.stringify({ ...bent, permissions: ['teams.edit'] })).toString('base64url')}.${mac}`
    expect((await stranger.call(clientGrantCalls, 'readGrantRequest', { query: { token: forged } })).status).toBe(422)
    stage.clock.turn(86_400_001)
    const late = await stage.person()
    expect((await late.call(clientGrantCalls, 'readGrantRequest', { query: { token } })).body.ret.code).toBe(201120006)
    owner = await stage.person()
  })
})

describe('a call that is for persons', () => {
  it('refuses a client in so many words', async () => {
    const token = await tokenOf(stage.app, await newClient(owner))
    for (const [method, url] of [
      ['GET', '/oauth2/v1/sessions'],
      ['GET', '/notice/notice/v1/notices'],
      ['GET', '/ups/v1/user-info'],
      ['POST', '/oauth2/v1/logout'],
      ['DELETE', '/ups/v1/team'],
      ['GET', '/aps/api-permission-service/v1/user-client-list'],
      ['GET', '/oauth2/v1/operate/accounts'],
    ] as const) {
      const reply = await callWith(stage.app, token, { method, url })
      if (reply.statusCode === 404) continue
      expect([url, reply.statusCode, reply.json().ret.code]).toEqual([url, 403, 200000031])
    }
  })
})

it('a team header that is not the token’s team is refused, its own is fine', async () => {
  const stranger = await stage.person()
  const token = await tokenOf(stage.app, await newClient(owner))
  const as = async (teamid: string) =>
    (await callWith(stage.app, token, { ...listProjects, headers: { teamid } })).statusCode
  expect([await as(owner.teamId), await as(stranger.teamId)]).toEqual([200, 403])
})

it('an app stays reachable by who may see it, not by clients of other teams', async () => {
  const { projectId } = await owner.ok(projects, 'createProject', { body: { name: 'With an app' } })
  const stranger = await stage.person()
  const token = await tokenOf(stage.app, await newClient(stranger, { permissions: ['projects.read', 'apps.read'] }))
  const reply = await callWith(stage.app, token, {
    method: 'GET',
    url: `/amis/app-manage/v1/app/list/by-project?projectId=${projectId}`,
  })
  expect(reply.statusCode === 404 || reply.json().total === 0).toBe(true)
})

it('a token that is known costs no query', async () => {
  const token = await tokenOf(stage.app, await newClient(owner, { permissions: ['projects.read'] }))
  expect(await status(token)).toBe(200)
  const pool = stage.booted.server.pools.of('home')
  const { connect } = pool
  let connections = 0
  pool.connect = ((...given: unknown[]) => {
    connections++
    return (connect as (...all: unknown[]) => unknown).apply(pool, given)
  }) as typeof connect
  for (let at = 0; at < 50; at++) expect(await status(token, stage.app, createProject('Refused at the gate'))).toBe(403)
  pool.connect = connect
  expect(connections).toBe(0)
})

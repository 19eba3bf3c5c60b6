import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallSpec, Contract } from '../kernel/contract.ts'
import { commonErrors } from '../kernel/errors.ts'
import { compileValidator, serialiserOf } from '../server/http/schemas.ts'
import { openApiOf } from '../server/openapi.ts'
import { idNames, idsOf } from '../testkit/ids.ts'
import { sampleOf } from '../testkit/sample.ts'
import { openStage, type Person, type Reply, type Stage } from '../testkit/stage.ts'
import { services } from './all.server.ts'
import { callWith, newClient, tokenOf } from './ground/api-clients/clients.testkit.ts'

/** Written once, walks every call of every service. */
interface Walked {
  title: string
  contract: Contract
  name: string
  call: CallSpec
}

const walked: Walked[] = services
  .flatMap(one => one.calls.map(({ contract }) => contract))
  .flatMap(contract =>
    Object.entries(contract.calls).map(([name, call]) => ({
      title: `${call.method} ${contract.prefix}${call.path}`,
      contract,
      name,
      call,
    })),
  )

let stage: Stage
/** Leads a team with one of everything. */
let owner: Person
let ownIds: Record<string, unknown>
/** Leads another team, and may do everything there. */
let stranger: Person
/** Member of the owner's team without any role. */
let powerless: Person
let reviewer: Person

beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  stranger = await stage.person()
  powerless = await stage.person({ team: owner.teamId, roles: [] })
  reviewer = await stage.person({ staff: ['storeAdministrator', 'reviewer', 'seniorReviewer', 'storeOperator'] })
  ownIds = await idsOf(stage, owner)
})
afterAll(() => stage.close())

const send = (who: Person, one: Walked, known: Record<string, unknown>): Promise<Reply<unknown>> =>
  who.call(one.contract, one.name, {
    params: sampleOf(one.call.params ?? {}, known) as never,
    query: sampleOf(one.call.query ?? {}, known) as never,
    ...(one.call.body ? { body: sampleOf(one.call.body, known) as never } : {}),
  })

/** The names of ids that a call takes, wherever it takes them. */
function idsTaken(call: CallSpec): string[] {
  const text = JSON.stringify([call.params ?? {}, call.query ?? {}, call.body ?? {}])
  return idNames.filter(name => text.includes(`"${name}":{`))
}

describe('without a session', () => {
  it.each(walked.filter(one => one.call.who !== 'anonymous'))('$title is 401', async one => {
    const reply = await send(stage.anybody, one, {})
    expect([reply.status, reply.headers['x-auth-reason']]).toEqual([401, 'getTokenInfo return null'])
  })
})

describe('without the permission', () => {
  it.each(walked.filter(one => one.call.may !== 'none' && one.call.who === 'cp'))('$title is 403', async one => {
    const reply = await send(powerless, one, ownIds)
    expect([reply.status, reply.body.ret.code]).toEqual([403, commonErrors.notAllowed[0]])
  })

  it.each(walked.filter(one => one.call.who === 'manage'))('$title is 403 for who is no staff', async one => {
    const reply = await send(owner, one, ownIds)
    expect([reply.status, reply.body.ret.code]).toEqual([403, commonErrors.notAllowed[0]])
  })
})

describe("with another team's id", () => {
  it.each(walked.filter(one => one.call.who === 'cp' && one.call.kind !== 'upload' && idsTaken(one.call).length > 0))(
    '$title is 404 and changes nothing',
    async one => {
      const reply = await send(stranger, one, ownIds)
      // A list filtered by a foreign id may be empty, several ids may each be told as not found, a check may say no.
      const told = JSON.stringify(reply.body)
      const isEmpty = reply.status === 200 && /"total":0|"errorObjects":\[\{|"isValid":false/.test(told)
      expect(isEmpty || reply.status === 404 ? 'not found' : `${reply.status} ${told}`).toBe('not found')
    },
  )
})

describe('with the token of a program', () => {
  let token = ''
  beforeAll(async () => {
    token = await tokenOf(stage.app, await newClient(owner))
  })
  const isClosed = ({ call }: Walked) =>
    call.who !== 'anonymous' && (call.who !== 'cp' || call.team === 'none' || call.may === 'none')

  it.each(walked.filter(one => isClosed(one) && !one.call.openToPrograms))('$title is for persons', async one => {
    const url = (one.contract.prefix + one.call.path).replace(/:\w+/g, '1')
    const reply = await callWith(stage.app, token, { method: one.call.method, url })
    expect([reply.statusCode, reply.json().ret.code]).toEqual([403, commonErrors.personNeeded[0]])
  })

  it('only what makes other calls with their own rights is open without a permission', () => {
    const open = walked.filter(one => one.call.openToPrograms)
    expect(open.map(one => one.title)).toEqual([
      'POST /invokeService',
      'POST /invokeService/',
      'POST /invokeService/:definition/:process',
    ])
  })
})

describe('with an empty body', () => {
  const needsBody = (call: CallSpec) => ((call.body as { required?: string[] } | undefined)?.required?.length ?? 0) > 0
  // A foreign protocol says no in a form of its own.
  const isOurs = ({ call, contract }: Walked) => call.kind !== 'upload' && contract.refusal === undefined
  it.each(walked.filter(one => needsBody(one.call) && isOurs(one)))('$title is 400 with pointers', async one => {
    const who = one.call.who === 'manage' ? reviewer : one.call.who === 'anonymous' ? stage.anybody : owner
    const reply = await who.call(one.contract, one.name, {
      params: sampleOf(one.call.params ?? {}, ownIds) as never,
      query: sampleOf(one.call.query ?? {}, ownIds) as never,
      body: {} as never,
    })
    expect(reply.status).toBe(400)
    expect(reply.body.fields?.every(field => field.pointer.startsWith('/'))).toBe(true)
    expect(reply.body.fields?.length).toBeGreaterThan(0)
  })
})

describe('the schemas, which are compiled at the first call', () => {
  it.each(walked)('of $title compile', ({ call }) => {
    const parts = { params: call.params, querystring: call.query, body: call.body }
    for (const [httpPart, schema] of Object.entries(parts)) {
      if (schema) expect(() => compileValidator({ schema, httpPart })({})).not.toThrow()
    }
    if (call.answer) expect(() => serialiserOf(call.answer as object)).not.toThrow()
  })
})

describe('the OpenAPI document', () => {
  const contracts = services.flatMap(one => one.calls.map(call => call.contract))
  it.each([
    ...contracts.map(contract => ({ title: `${contract.name} ${contract.prefix}`, chosen: [contract] })),
    { title: 'all services', chosen: contracts },
  ])('of $title is valid', async ({ title, chosen }) => {
    const result = await new Validator().validate(openApiOf(chosen, title) as never)
    expect(result.errors ?? []).toEqual([])
  })

  it('is served for all and for each service', async () => {
    const all = await stage.app.inject('/openapi.json')
    expect(Object.keys(all.json().paths).length).toBeGreaterThan(10)
    const one = await stage.app.inject('/openapi/ground/session.json')
    expect(Object.keys(one.json().paths)).toContain('/oauth2/v1/login')
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { serviceProviders, serviceProvidersV2 } from './contract.ts'
import { type BindingAction, bindingLifeCycle } from './rules.ts'

let stage: Stage
let client: Person
beforeAll(async () => {
  stage = await openStage()
  client = await stage.person()
})
afterAll(() => stage.close())

async function bound(state: 'invited' | 'active' | 'ended') {
  const provider = await stage.person()
  const made = await client.ok(serviceProviders, 'inviteServiceProvider', { body: { spId: provider.teamId } })
  let { revision } = made
  const { bindingId } = made
  const act = (who: Person, action: BindingAction) =>
    who.call(serviceProvidersV2, 'changeServiceProvider', { body: { bindingId, action, revision } })
  if (state === 'active') revision = (await act(provider, 'accept')).body.revision
  if (state === 'ended') revision = (await act(client, 'cancel')).body.revision
  return { provider, bindingId, act }
}

describe('a service provider', () => {
  it('serves a team from acceptance on, and its audience is open from then until the end', async () => {
    const { provider, act, bindingId } = await bound('invited')
    const before = await provider.call(serviceProviders, 'listServedTeams')
    expect([before.status, before.body.ret.code]).toEqual([403, 200000015])
    const asked = await client.ok(serviceProviders, 'listServiceProviders')
    expect(asked.list.find(one => one.bindingId === bindingId)).toMatchObject({ spName: null, state: 'invited' })
    const active = await act(provider, 'accept')
    const served = await provider.ok(serviceProviders, 'listServedTeams')
    expect(served.list).toMatchObject([{ bindingId, teamId: client.teamId }])
    await client.ok(serviceProviders, 'changeServiceProvider', {
      body: { bindingId, action: 'end', revision: active.body.revision },
    })
    expect((await provider.call(serviceProviders, 'listServedTeams')).status).toBe(403)
  })

  it('is asked once at a time, is another team, and is there', async () => {
    const { provider } = await bound('invited')
    const twice = await client.call(serviceProviders, 'inviteServiceProvider', { body: { spId: provider.teamId } })
    expect([twice.status, twice.body.ret.code]).toEqual([409, 204111015])
    const self = await client.call(serviceProviders, 'inviteServiceProvider', { body: { spId: client.teamId } })
    expect(self.body.ret.code).toBe(204111016)
    const nobody = await client.call(serviceProviders, 'inviteServiceProvider', {
      body: { spId: '736430079244000001' },
    })
    expect(nobody.status).toBe(404)
  })

  it('of others is neither seen nor touched', async () => {
    const { bindingId } = await bound('active')
    const stranger = await stage.person()
    expect((await stranger.ok(serviceProviders, 'listServiceProviders')).total).toBe(0)
    expect((await stranger.ok(serviceProviders, 'listServiceProviders', { query: { side: 'provider' } })).total).toBe(0)
    const touched = await stranger.call(serviceProviders, 'changeServiceProvider', {
      body: { bindingId, action: 'end', revision: 2 },
    })
    expect(touched.status).toBe(404)
  })
})

describe('each state and action of a binding', () => {
  const actions = ['accept', 'decline', 'cancel', 'end'] as const
  const cases = bindingLifeCycle.states.flatMap(state =>
    actions.flatMap(action => (['client', 'provider'] as const).map(side => ({ state, action, side }))),
  )
  it.each(cases)('$side $action when $state', async ({ state, action, side }) => {
    const { provider, act } = await bound(state)
    const reply = await act(side === 'client' ? client : provider, action)
    const move = bindingLifeCycle.moves.find(
      one => one.action === action && (one.from as readonly string[]).includes(state) && one.may === side,
    )
    expect([reply.status, reply.body.state]).toEqual(move ? [200, move.to] : [422, state])
    // One provider less, for the limit of twenty.
    await stage.sql('home', 'DELETE FROM provider_bindings WHERE sp_id = $1', [provider.teamId])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { handOverZone } from '../../../../server/handover.ts'
import { newApp } from '../../versions/versions.testkit.ts'
import { apps } from '../contract.ts'
import { appTransfer } from './contract.ts'
import { moveLimits } from './rules.ts'
import { type Moves, openMoves } from './transfer.testkit.ts'

let m: Moves
beforeAll(async () => {
  m = await openMoves()
})
afterAll(() => m.stage.close())

describe('attacks', () => {
  it('nobody moves what is not his, to whom it is not, or answers for another team', async () => {
    const { appId } = await newApp(m.owner)
    const stranger = await m.stage.person()
    const theirs = await m.hold([appId], stranger.teamId, m.taker)
    expect(theirs.status).toBe(404)
    const { appId: own } = await newApp(m.taker)
    expect((await m.hold([own, appId], stranger.teamId, m.taker)).status).toBe(404)
    expect((await m.hold([appId], '123456789')).status).toBe(404)
    expect((await m.hold([appId], m.owner.teamId)).body.ret.code).toBe(202010013)
    const { body } = await m.hold([appId])
    const { moveId, revision } = body
    const toProjectId = await m.newProject(stranger)
    expect((await stranger.call(appTransfer, 'getMove', { query: { moveId } })).status).toBe(404)
    expect((await m.accept(moveId, revision, toProjectId, stranger)).status).toBe(404)
    expect((await stranger.call(appTransfer, 'cancelMove', { body: { moveId, revision } })).status).toBe(404)
    expect((await stranger.ok(appTransfer, 'listMoves', {})).total).toBe(0)
    // The sender does not m.accept for the receiver, and the receiver does not cancel.
    expect((await m.accept(moveId, revision, await m.newProject(m.owner), m.owner)).body.ret.code).toBe(202010014)
    expect((await m.taker.call(appTransfer, 'cancelMove', { body: { moveId, revision } })).body.ret.code).toBe(
      202010014,
    )
    // Into a project of somebody else.
    expect((await m.accept(moveId, revision, toProjectId)).status).toBe(404)
    const member = await m.stage.person({ team: m.taker.teamId, roles: ['administrator'] })
    expect((await m.accept(moveId, revision, await m.newProject(m.taker), member)).status).toBe(403)
    expect((await m.read(moveId)).state).toBe('WAIT_ACCEPT')
    // Not twice at a time.
    expect((await m.hold([appId], stranger.teamId)).body.ret.code).toBe(202010012)
    const canceled = await m.owner.ok(appTransfer, 'cancelMove', { body: { moveId, revision } })
    expect(canceled.state).toBe('CANCELED')
    expect((await m.accept(moveId, canceled.revision, await m.newProject(m.taker))).body.ret.code).toBe(202010014)
  })

  it('asks for a fresh proof of who sends and who takes', async () => {
    const { appId } = await newApp(m.owner)
    await m.stage.sql('home', 'UPDATE sessions SET authenticated_at = 0 WHERE account_id = $1', [m.owner.accountId])
    expect((await m.hold([appId])).status).toBe(403)
    await m.stage.sql('home', 'UPDATE sessions SET authenticated_at = $2 WHERE account_id = $1', [
      m.owner.accountId,
      m.stage.clock.now(),
    ])
    const { body } = await m.hold([appId])
    await m.stage.sql('home', 'UPDATE sessions SET authenticated_at = 0 WHERE account_id = $1', [m.taker.accountId])
    expect((await m.accept(body.moveId, body.revision, await m.newProject(m.taker))).status).toBe(403)
    await m.stage.sql('home', 'UPDATE sessions SET authenticated_at = $2 WHERE account_id = $1', [
      m.taker.accountId,
      m.stage.clock.now(),
    ])
    const refused = await m.taker.ok(appTransfer, 'refuseMove', {
      body: { moveId: body.moveId, revision: body.revision },
    })
    expect(refused.state).toBe('REFUSED')
  })

  it('of two acceptances one counts, and of m.accept and cancel one', async () => {
    const { appId } = await newApp(m.owner)
    const { body } = await m.hold([appId])
    const [a, b] = [await m.newProject(m.taker), await m.newProject(m.taker)]
    const replies = await Promise.all([
      m.accept(body.moveId, body.revision, a),
      m.accept(body.moveId, body.revision, b),
      m.owner.call(appTransfer, 'cancelMove', { body: { moveId: body.moveId, revision: body.revision } }),
    ])
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(1)
    await m.stage.settle()
    const { state } = await m.read(body.moveId)
    const [row] = await m.stage.sql('CN', 'SELECT team_id FROM apps WHERE app_id = $1', [appId])
    expect(row?.['team_id']).toBe(state === 'DONE' ? m.taker.teamId : m.owner.teamId)
  })

  it('of two who m.hold out the same app at once one does', async () => {
    const { appId } = await newApp(m.owner)
    const other = await m.stage.person()
    const replies = await Promise.all([m.hold([appId]), m.hold([appId], other.teamId), m.hold([appId])])
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 422, 422])
  })
})

describe('a process that dies in the middle', () => {
  it('before the zone has committed leaves all with the old team', async () => {
    const { appId } = await newApp(m.owner)
    const toProjectId = await m.newProject(m.taker)
    const handing = {
      moveId: '1',
      appIds: [appId],
      fromTeamId: m.owner.teamId,
      toTeamId: m.taker.teamId,
      toProjectId,
      keepsTesters: true,
    }
    const dies = systemContext(m.stage.booted.server, 'CN', { name: 'test' }).transact(async ctx => {
      await handOverZone(ctx, handing)
      throw new Error('killed')
    })
    await expect(dies).rejects.toThrow('killed')
    expect((await m.owner.ok(apps, 'getApp', { query: { appId } })).appId).toBe(appId)
    expect((await m.taker.call(apps, 'getApp', { query: { appId } })).status).toBe(404)
  })

  it('between the zone and the home database has one m.owner, and goes on where it stopped', async () => {
    const { appId } = await newApp(m.owner)
    const toProjectId = await m.newProject(m.taker)
    const { body } = await m.hold([appId])
    // What the job's first step leaves behind when its process is gone.
    await m.stage.sql('home', `UPDATE app_moves SET state = 'EXECUTING', to_project_id = $2 WHERE move_id = $1`, [
      body.moveId,
      toProjectId,
    ])
    const handing = {
      moveId: body.moveId,
      appIds: [appId],
      fromTeamId: m.owner.teamId,
      toTeamId: m.taker.teamId,
      toProjectId,
      keepsTesters: true,
    }
    await m.scene.system().transact(ctx => handOverZone(ctx, handing))
    expect((await m.owner.call(apps, 'getApp', { query: { appId } })).status).toBe(404)
    expect((await m.taker.ok(apps, 'getApp', { query: { appId } })).projectId).toBe(toProjectId)
    await m.turn(moveLimits.jobMs + 60_000)
    expect((await m.read(body.moveId)).state).toBe('DONE')
    const [thing] = await m.stage.sql('home', 'SELECT team_id FROM scope_things WHERE thing_id = $1', [appId])
    expect(thing?.['team_id']).toBe(m.taker.teamId)
  })

  it('of an offer that nobody answers within 60 days nothing is left but its end', async () => {
    const { appId } = await newApp(m.owner)
    const { body } = await m.hold([appId])
    await m.turn(moveLimits.waitMs + 1000)
    expect((await m.read(body.moveId)).state).toBe('EXPIRED')
    expect((await m.accept(body.moveId, body.revision + 1, await m.newProject(m.taker))).body.ret.code).toBe(202010014)
    expect((await m.owner.ok(apps, 'getApp', { query: { appId } })).appId).toBe(appId)
  })
})

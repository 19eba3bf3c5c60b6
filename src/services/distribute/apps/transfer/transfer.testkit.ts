import type { Person } from '../../../../testkit/stage.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { openScene } from '../../versions/versions.testkit.ts'
import { appTransfer } from './contract.ts'

/** A team that has apps, and one that takes some. */
export async function openMoves() {
  const scene = await openScene()
  const { stage } = scene
  const people: { owner: Person; taker: Person } = { owner: scene.owner, taker: await stage.person() }
  let made = 0
  const newProject = async (who: Person) =>
    (await who.ok(projects, 'createProject', { body: { name: `Target ${++made}` } })).projectId
  const hold = (appIds: string[], toTeamId = people.taker.teamId, who = people.owner) =>
    who.call(appTransfer, 'createMove', { body: { appIds, toTeamId } })
  const read = (moveId: string, who = people.taker) => who.ok(appTransfer, 'getMove', { query: { moveId } })
  const accept = (moveId: string, revision: number, toProjectId: string, who = people.taker) =>
    who.call(appTransfer, 'acceptMove', { body: { moveId, revision, toProjectId } })
  return {
    scene,
    stage,
    newProject,
    hold,
    read,
    accept,
    get owner() {
      return people.owner
    },
    get taker() {
      return people.taker
    },
    handedOver: async (appIds: string[], toProjectId?: string) => {
      const { body } = await hold(appIds)
      const reply = await accept(body.moveId, body.revision, toProjectId ?? (await newProject(people.taker)))
      if (reply.status !== 200) throw new Error(`acceptMove answered ${reply.status}: ${reply.text}`)
      await stage.settle()
      return read(body.moveId)
    },
    /** Time goes on: sweeps run, sessions are new. */
    turn: async (ms: number) => {
      await scene.turn(ms)
      await stage.booted.worker.sweep()
      await stage.settle()
      people.owner = scene.owner
      people.taker = await stage.person({ team: people.taker.teamId, roles: ['leader'] })
    },
  }
}

export type Moves = Awaited<ReturnType<typeof openMoves>>

import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { moveBlocks, packageTypes } from '../rules.ts'
import { moveActions, moveLimits, moveStates } from './rules.ts'

const AppIds = Type.Array(Id, { minItems: 1, maxItems: moveLimits.appsAtOnce, uniqueItems: true })
const Blocks = list(shape({ appId: Id, name: text(64), blocks: list(oneOf(moveBlocks)) }))
const Team = shape({ teamId: Id, name: text(64) })

export const Move = shape({
  moveId: Id,
  /** Which side the caller is on; BOTH within one team. */
  side: oneOf(['FROM', 'TO', 'BOTH']),
  from: Team,
  to: Team,
  toProjectId: nullable(Id),
  siteId: integer(0, 99),
  apps: list(
    shape({
      appId: Id,
      name: text(64),
      packageName: nullable(text(255)),
      packageType: oneOf(packageTypes),
      isOnShelf: flag(),
    }),
  ),
  /** Test groups and the people in them go along. */
  include: shape({ testers: flag() }),
  note: text(moveLimits.noteLength),
  state: oneOf(moveStates),
  blocks: Blocks,
  jobId: nullable(Id),
  expiresAt: Instant,
  finishedAt: nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
  allowedActions: list(oneOf(moveActions)),
})

const answerOf = { moveId: Id, revision: Revision }

/** Apps go to another team, or to another project of their own. */
export const appTransfer = service({
  name: 'distribute/apps',
  prefix: '/amis/app-manage/v1',
  zone: 'current',
  permissions: ['apps.read', 'apps.edit', 'apps.move'],
  errors: {
    blocked: [202010012, 422, 'These apps cannot go now: {reasons}.'],
    sameTeam: [202010013, 422, 'The apps are of that team already; to move them between projects give toProjectId.'],
    notAnswerable: [202010014, 422, 'In state {state} this cannot be done; allowed now: {allowedActions}.'],
    otherZone: [202010015, 422, 'The apps are at site {siteId}; answer there.'],
    projectOfOther: [202010016, 422, 'The project is at another site than the apps; choose one at site {siteId}.'],
    tooManyApps: [202010017, 422, 'A team has at most {limit} apps; this team has {apps}.'],
    tooManyMoves: [202010018, 422, 'At most {limit} moves wait for an answer; cancel one first.'],
    realNameNeeded: [202010019, 422, 'Only people whose real name was verified take over apps; verify yours first.'],
  },
  calls: {
    checkAppMove: {
      method: 'POST',
      path: '/move/app/check',
      who: 'cp',
      may: 'apps.edit',
      summary: 'What keeps apps from going to another team, or to another project of the team when one is named',
      body: shape({ appIds: AppIds, toProjectId: optional(Id) }),
      answer: shape({ canMove: flag(), list: Blocks }),
    },
    createMove: {
      method: 'POST',
      path: '/move/app',
      who: 'cp',
      may: 'apps.move',
      summary: 'Holds apps out to another team for 60 days; a fresh sign-in is needed',
      body: shape({
        appIds: AppIds,
        toTeamId: Id,
        include: optional(shape({ testers: optional(flag()) })),
        note: optional(text(moveLimits.noteLength)),
      }),
      answer: Move,
    },
    moveToProject: {
      method: 'POST',
      path: '/move/app/project',
      who: 'cp',
      may: 'apps.edit',
      summary: 'Puts apps into another project of the team, at once',
      body: shape({ appIds: AppIds, toProjectId: Id }),
      answer: Move,
    },
    listMoves: {
      method: 'GET',
      path: '/move/app/list',
      who: 'cp',
      may: 'apps.read',
      summary: 'Moves from and to the team in all its zones, the newest first',
      query: shape({ side: optional(oneOf(['FROM', 'TO'])), state: optional(oneOf(moveStates)), ...PageQuery }),
      answer: pageOf(Move),
    },
    getMove: {
      method: 'GET',
      path: '/move/app',
      who: 'cp',
      may: 'apps.read',
      summary: 'One move',
      query: shape({ moveId: Id }),
      answer: Move,
    },
    acceptMove: {
      method: 'PUT',
      path: '/move/app/accept',
      who: 'cp',
      may: 'apps.move',
      summary: 'Takes the apps into a project of the receiving team; a fresh sign-in is needed',
      body: shape({ ...answerOf, toProjectId: Id }),
      answer: Move,
    },
    refuseMove: {
      method: 'PUT',
      path: '/move/app/refuse',
      who: 'cp',
      may: 'apps.move',
      summary: 'The receiving team does not want the apps',
      body: shape(answerOf),
      answer: Move,
    },
    cancelMove: {
      method: 'PUT',
      path: '/move/app/cancel',
      who: 'cp',
      may: 'apps.move',
      summary: 'The sending team keeps the apps after all',
      body: shape(answerOf),
      answer: Move,
    },
  },
})

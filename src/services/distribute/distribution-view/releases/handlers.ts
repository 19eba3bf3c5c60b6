import { percentOf, phasedStateOf, phasedWords } from '../../../../kernel/field-words.ts'
import { asking } from '../../../../server/asking.ts'
import { badField } from '../../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { versions } from '../../versions/contract.ts'
import { versionHistory } from '../../versions/history/contract.ts'
import { versionPhased } from '../../versions/phased/contract.ts'
import { versionRollback } from '../../versions/rollback/contract.ts'
import { versionShelf } from '../../versions/shelf/contract.ts'
import { releaseViews, releaseViewsV2 } from './contract.ts'
import { inPhases, onShelf, outNow, underWay, versionIdOf, withStore } from './which.ts'

const handlers: Handlers<typeof releaseViews> = {
  submitAudit: asking(async (ask, { query, body: { appId, versionId: named, ...wish } }) => {
    const versionId = await versionIdOf(ask, { appId, versionId: named }, underWay)
    return ask(versions, 'submitVersion', { query, body: { ...wish, versionId } })
  }),

  cancelAudit: asking(async (ask, { body: { appId, versionId: named, revision } }) => {
    const versionId = await versionIdOf(ask, { appId, versionId: named }, withStore)
    const { version } = await ask(versionHistory, 'getHistoryVersion', { query: { versionId } })
    const body = { versionId, revision }
    if (version.state === 'SHELF_OFF_REVIEW') return { version: await ask(versionShelf, 'cancelShelfOff', { body }) }
    return { version: await ask(versions, 'withdrawVersion', { body }) }
  }),

  urgeAudit: asking(async (ask, { body: { appId, versionId: named, reason } }) => {
    const versionId = await versionIdOf(ask, { appId, versionId: named }, underWay)
    return { version: await ask(versions, 'urgeReview', { body: { versionId, reason } }) }
  }),

  shelfOff: asking(async (ask, { body: { appId, versionId: named, ...wish } }) => {
    const versionId = await versionIdOf(ask, { appId, versionId: named }, onShelf)
    return { version: await ask(versionShelf, 'shelfOffVersion', { body: { ...wish, versionId } }) }
  }),

  rollBack: asking(async (ask, { body: { appId, versionId: named, ...wish } }) => {
    const versionId = await versionIdOf(ask, { appId, versionId: named }, outNow)
    return ask(versionRollback, 'rollBackVersion', { body: { ...wish, versionId } })
  }),

  getPhased: asking(async (ask, { query: { appId, versionId: named, ...page } }) => {
    const versionId = await versionIdOf(ask, { appId, versionId: named }, inPhases)
    return ask(versionPhased, 'listPhasedChanges', { query: { ...page, versionId } })
  }),

  updatePhased: asking(async (ask, { body }) => {
    const { appId, versionId: named, state, phasedReleasePercent, phasedReleaseDescription, ...wish } = body
    const versionId = await versionIdOf(ask, { appId, versionId: named }, inPhases)
    const percent = phasedReleasePercent === undefined ? wish.percent : percentOf(phasedReleasePercent)
    return ask(versionPhased, 'updatePhasedRelease', {
      body: {
        ...wish,
        versionId,
        percent,
        state: state === undefined ? undefined : known(state),
        description: wish.description ?? phasedReleaseDescription,
      },
    })
  }),
}

export default implement(releaseViews, handlers)
export const secondGeneration = implement(releaseViewsV2, handlers)

function known(state: string) {
  const found = phasedStateOf(state)
  if (found) return found
  throw badField('/state', 'enum', `must be ${phasedWords}`)
}

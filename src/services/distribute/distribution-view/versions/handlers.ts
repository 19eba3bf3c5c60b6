import { asking } from '../../../../server/asking.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { versions } from '../../versions/contract.ts'
import { versionHistory } from '../../versions/history/contract.ts'
import { versionViews, versionViewsV2 } from './contract.ts'
import { viewOf } from './view.ts'

const handlers: Handlers<typeof versionViews> = {
  listVersions: asking(async (ask, { query }) => {
    const page = await ask(versions, 'listVersions', { query })
    return { ...page, list: page.list.map(({ version, timeline }) => ({ ...viewOf(version), timeline })) }
  }),

  listHistory: asking(async (ask, { query }) => {
    const page = await ask(versionHistory, 'listHistoryVersions', { query })
    return { ...page, list: page.list.map(viewOf) }
  }),

  getHistory: asking(async (ask, { params }) => {
    const found = await ask(versionHistory, 'getHistoryVersion', { query: params })
    return { ...viewOf(found.version), ...found }
  }),
}

export default implement(versionViews, handlers)
export const secondGeneration = implement(versionViewsV2, handlers)

import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { type Ask, asking } from '../../../../server/asking.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { dgsProjectApis, projectApiService } from '../../../ground/projects/api/contract.ts'
import { projectServices } from '../../../ground/projects/services/contract.ts'
import { apps } from '../../apps/contract.ts'
import { series } from '../../series/contract.ts'
import { cutovers } from '../../series/cutover/contract.ts'
import { errors } from '../contract.ts'
import { serviceViews, serviceViewsV2 } from './contract.ts'
import { zoneNames } from './rules.ts'

const handlers: Handlers<typeof serviceViews> = {
  listServices: asking(async (ask, { query: { state, ...which } }) =>
    ask(projectServices, 'listOrders', { query: { projectId: await projectIdOf(ask, which), state } }),
  ),

  getAppServices: asking(async (ask, { query: { appId } }) => {
    const projectId = await projectIdOf(ask, { appId })
    const { list } = await ask(projectServices, 'listOrders', { query: { projectId, state: 'ENABLED' } })
    return { appId, projectId, services: list }
  }),

  listRegionNames: asking(async (ask, { query }) => {
    const { list } = await ask(projectServices, 'getStrategy', { query })
    return { list: list.map(one => ({ ...one, name: zoneNames[one.zone] })) }
  }),

  getService: asking(async (ask, { query: { serviceId, ...which } }) =>
    ask(projectServices, 'getOrder', { query: { projectId: await projectIdOf(ask, which), serviceId } }),
  ),

  addService: asking(async (ask, { body: { serviceId, ...which } }) =>
    ask(projectServices, 'orderService', { body: { projectId: await projectIdOf(ask, which), serviceId } }),
  ),

  updateService: asking(async (ask, { body: { appId, projectId, ...wish } }) =>
    ask(projectServices, 'setServiceConfig', {
      body: { ...wish, projectId: await projectIdOf(ask, { appId, projectId }) },
    }),
  ),

  removeService: asking(async (ask, { query: { serviceId, ...which } }) =>
    ask(projectServices, 'endService', { query: { projectId: await projectIdOf(ask, which), serviceId } }),
  ),

  getApiService: asking(async (ask, { query }) =>
    ask(projectApiService, 'getApiService', { query: { projectId: await projectIdOf(ask, query) } }),
  ),

  setApiService: asking(async (ask, { body: { apis, ...which } }) =>
    ask(projectApiService, 'setApiService', { body: { projectId: await projectIdOf(ask, which), apis } }),
  ),

  getAlliance: asking(async (ask, { query: { appId } }) => ({ appId, ...(await allianceOf(ask, appId)) })),

  setAlliance: asking(async (ask, { body: { appId, allianceName, contact } }) => {
    const before = await allianceOf(ask, appId)
    const body = { ...before, allianceName: allianceName ?? before.allianceName, contact: contact ?? before.contact }
    return { appId, ...(await ask(dgsProjectApis, 'setAllianceAttr', { body })) }
  }),

  cutOver: asking(async (ask, { body: { appId, isMember, startAt, countries } }) => {
    if (startAt !== undefined) {
      const cutover = startAt === null ? await giveUp(ask, appId) : await plan(ask, appId, startAt, countries)
      return { appId, ...(await allianceOf(ask, appId)), cutover }
    }
    const before = await allianceOf(ask, appId)
    const wanted = isMember ?? true
    if (wanted && before.allianceName.trim() === '') refuse(errors.noAlliance)
    const alliance = await ask(dgsProjectApis, 'setAllianceAttr', { body: { ...before, isMember: wanted } })
    return { appId, ...alliance, cutover: null }
  }),
}

export default implement(serviceViews, handlers)
export const secondGeneration = implement(serviceViewsV2, handlers)

/** The project that is named, or the one of the app; where both are, the one must be the other's. */
async function projectIdOf(ask: Ask, which: { appId?: string; projectId?: string }): Promise<string> {
  const { appId, projectId: named } = which
  if (appId === undefined) return named ?? refuse(errors.whichProject)
  const { projectId } = await ask(apps, 'getApp', { query: { appId } })
  if (named !== undefined && named !== projectId) refuse(commonErrors.notFound, { entity: 'project', id: named })
  return projectId
}

async function allianceOf(ask: Ask, appId: string) {
  const projectId = await projectIdOf(ask, { appId })
  return ask(dgsProjectApis, 'getAllianceAttr', { query: { projectId } })
}

async function seriesOf(ask: Ask, appId: string): Promise<string> {
  const { list } = await ask(series, 'querySeries', { body: { appId } })
  return list[0]?.seriesId ?? refuse(errors.noSeries)
}

async function plan(ask: Ask, appId: string, startAt: number, countries: string[] = []) {
  return ask(cutovers, 'planCutover', { body: { seriesId: await seriesOf(ask, appId), startAt, countries } })
}

/** The last that is not over; null where there is none. */
async function giveUp(ask: Ask, appId: string) {
  const { list } = await ask(cutovers, 'queryCutovers', { body: { seriesId: await seriesOf(ask, appId) } })
  const open = list.find(one => one.allowedActions.includes('cancel'))
  if (!open) return null
  const { cutoverId, revision } = open
  return ask(cutovers, 'cancelCutover', { body: { cutoverId, revision } })
}

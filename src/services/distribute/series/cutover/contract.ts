import { service } from '../../../../kernel/contract.ts'
import { Id, Instant, list, nullable, oneOf, optional, Revision, shape, Type } from '../../../../kernel/shape.ts'
import { Country, series } from '../contract.ts'
import { cutoverEnds, cutoverStates } from './rules.ts'

const Countries = Type.Array(Country, { maxItems: 250, uniqueItems: true })

export const Cutover = shape({
  cutoverId: Id,
  seriesId: Id,
  startAt: Instant,
  /** Where people are moved over; empty is everywhere. */
  countries: list(Country),
  state: oneOf(cutoverStates),
  /** Why it was canceled; null while it is not. */
  reason: nullable(oneOf(cutoverEnds)),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
  allowedActions: list(oneOf(['cancel'])),
})

/** From when on the store shows the edition for HarmonyOS in the place of the others. */
export const cutovers = service({
  name: 'distribute/series',
  prefix: '/amis/app-series',
  zone: 'current',
  permissions: ['series.read', 'series.edit'],
  errors: {
    alreadyPlanned: [202110010, 409, 'A cutover of the series is planned already; cancel it first.'],
    badStart: [202110011, 422, 'A cutover starts in the future, within a year; choose another startAt.'],
    noHarmony: series.errors.noHarmony,
  },
  calls: {
    queryCutovers: {
      method: 'POST',
      path: '/v1/cutover/action/query',
      who: 'cp',
      may: 'series.read',
      summary: 'The cutovers of a series, the newest first',
      body: shape({ seriesId: Id }),
      answer: shape({ list: list(Cutover) }),
    },
    planCutover: {
      method: 'POST',
      path: '/v1/cutover/action/plan',
      who: 'cp',
      may: 'series.edit',
      summary: 'Plans from when on the edition for HarmonyOS is shown alone: everywhere, or in some countries',
      body: shape({ seriesId: Id, startAt: Instant, countries: optional(Countries) }),
      answer: Cutover,
    },
    cancelCutover: {
      method: 'POST',
      path: '/v1/cutover/action/cancel',
      who: 'cp',
      may: 'series.edit',
      summary: 'Gives up a planned cutover, or takes one back that is in force: people see what they saw before it',
      body: shape({ cutoverId: Id, revision: Revision }),
      answer: Cutover,
    },
  },
})

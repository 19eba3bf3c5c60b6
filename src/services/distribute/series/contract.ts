import { service } from '../../../kernel/contract.ts'
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
} from '../../../kernel/shape.ts'
import { limits, memberRoles, privatePhases, seriesModes } from './rules.ts'

export const Country = Type.String({ pattern: '^[A-Z]{2}$', examples: ['CN'] })
const Member = shape({
  appId: Id,
  name: text(64),
  packageName: nullable(text(255)),
  packageType: text(40),
  deviceTypes: list(integer(0, 99)),
  role: oneOf(memberRoles),
  phase: oneOf(privatePhases),
  /** Where it is on shelf and the main edition is not. */
  uncoveredIn: list(Country),
})
export const Series = shape({
  seriesId: Id,
  name: text(limits.nameLength),
  mode: oneOf(seriesModes),
  /** Where only the edition for HarmonyOS is shown; empty with SINGLE is everywhere. */
  singleIn: list(Country),
  members: list(Member),
  canEdit: flag(),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})
const Mode = shape({
  seriesId: Id,
  mode: oneOf(seriesModes),
  singleIn: list(Country),
  /** Whether the series has an edition for HarmonyOS on shelf, without which nothing can be shown alone. */
  canBeSingle: flag(),
  revision: Revision,
})
const Name = text(limits.nameLength, 1)
const OfSeries = { seriesId: Id, revision: Revision }

export const series = service({
  name: 'distribute/series',
  prefix: '/amis/app-series',
  zone: 'current',
  permissions: ['series.read', 'series.edit'],
  errors: {
    inOther: [202110001, 409, 'The app {name} stands in a series already; take it out there first.'],
    nameTaken: [202110002, 409, 'The team has a series {name} already; choose another name.'],
    oneMain: [202110003, 422, 'A series has one main edition; {mains} are named.'],
    tooManyMembers: [202110004, 422, 'A series has at most {limit} editions.'],
    clash: [202110005, 422, '{name} and {other} are for the same devices; a series has one edition for each.'],
    mainStays: [202110006, 422, 'The main edition stays while there are others; take those out first.'],
    noHarmony: [202110007, 422, 'No edition for HarmonyOS is on shelf {where}; it cannot be shown alone there.'],
    tooManySeries: [202110008, 422, 'A team has at most {limit} series.'],
    uncovered: [202110009, 422, '{name} is on shelf where the main edition is not: {countries}.'],
  },
  calls: {
    querySeries: {
      method: 'POST',
      path: '/v1/action/query',
      who: 'cp',
      may: 'series.read',
      summary: 'Series of the team: one, that of an app, or all, the newest first',
      body: shape({ seriesId: optional(Id), appId: optional(Id), ...PageQuery }),
      answer: pageOf(Series),
    },
    createSeries: {
      method: 'POST',
      path: '/v1/action/create-series',
      who: 'cp',
      may: 'series.edit',
      summary: 'Puts editions of one product together; one of them is the main one',
      body: shape({
        name: Name,
        apps: Type.Array(shape({ appId: Id, role: oneOf(memberRoles) }), {
          minItems: 2,
          maxItems: limits.membersOfSeries,
        }),
      }),
      answer: Series,
    },
    addToSeries: {
      method: 'POST',
      path: '/v1/action/add',
      who: 'cp',
      may: 'series.edit',
      summary: 'Adds an edition',
      body: shape({ ...OfSeries, appId: Id }),
      answer: Series,
    },
    removeFromSeries: {
      method: 'POST',
      path: '/v1/action/delete',
      who: 'cp',
      may: 'series.edit',
      summary: 'Takes an edition out',
      body: shape({ ...OfSeries, appId: Id }),
      answer: Series,
    },
    deleteSeries: {
      method: 'POST',
      path: '/v1/action/series/delete',
      who: 'cp',
      may: 'series.edit',
      summary: 'Ends a series; the apps stay as they are',
      body: shape(OfSeries),
    },
    queryDoubleSingle: {
      method: 'POST',
      path: '/v1/double-single/action/query',
      who: 'cp',
      may: 'series.read',
      summary: 'Whether both editions are shown, or that for HarmonyOS alone, and where',
      body: shape({ seriesId: Id }),
      answer: Mode,
    },
    setDoubleSingle: {
      method: 'POST',
      path: '/v1/double-single/action/set',
      who: 'cp',
      may: 'series.edit',
      summary: 'Shows both editions, or that for HarmonyOS alone: everywhere, or in some countries',
      body: shape({
        ...OfSeries,
        mode: oneOf(seriesModes),
        singleIn: optional(Type.Array(Country, { maxItems: 250, uniqueItems: true })),
      }),
      answer: Mode,
    },
    queryOptionalList: {
      method: 'POST',
      path: '/v1/optional-list/query-by-cond',
      who: 'cp',
      may: 'series.read',
      summary: 'Apps of the team that stand in no series: of one name or developer with an app, or found by name',
      body: shape({ appId: optional(Id), search: optional(text(100)), ...PageQuery }),
      answer: pageOf(
        shape({
          appId: Id,
          name: text(64),
          packageName: nullable(text(255)),
          packageType: text(40),
          deviceTypes: list(integer(0, 99)),
          isAlike: flag(),
        }),
      ),
    },
    queryPrivatePhase: {
      method: 'POST',
      path: '/v1/app-private-phase-info/agc/action/query',
      who: 'cp',
      may: 'series.read',
      summary: 'Whether the public has the apps, a share of devices, testers alone, or nobody',
      body: shape({ appIds: Type.Array(Id, { minItems: 1, maxItems: limits.appsAtOnce, uniqueItems: true }) }),
      answer: shape({
        list: list(
          shape({
            appId: Id,
            phase: oneOf(privatePhases),
            isPrivate: flag(),
            /** Of devices, while a version comes in phases. */
            percent: nullable(Type.Number({ minimum: 0, maximum: 100 })),
          }),
        ),
      }),
    },
  },
})

import { Id, optional } from '../../../kernel/shape.ts'

/** The older face of apps and their releases, in two generations that answer the same; see docs/distribution-view.md. */
export const face = { name: 'distribute/distribution-view', zone: 'current' } as const
export const places = { first: '/cds/v1', second: '/cds/v2' } as const

/** Each call makes calls of the entity's own service, and each of those commits by itself. */
export const view = { who: 'cp', transaction: false } as const

/** An app, or one of its versions; both, where the one must be of the other. */
export const Which = { appId: optional(Id), versionId: optional(Id) }
/** The project, or the project of an app. */
export const OfProject = { appId: optional(Id), projectId: optional(Id) }

export const errors = {
  whichVersion: [202140001, 400, 'Name an app or a version, by appId or versionId.'],
  whichProject: [202140002, 400, 'Name an app or a project, by appId or projectId.'],
  noAlliance: [202140003, 422, 'The project names no alliance yet; say which with POST /alliance-app first.'],
  noSeries: [202140004, 422, 'The app stands in no series; put it together with its edition for HarmonyOS first.'],
} as const

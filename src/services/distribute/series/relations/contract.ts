import { service } from '../../../../kernel/contract.ts'
import { Id, Instant, list, nullable, oneOf, shape, text } from '../../../../kernel/shape.ts'
import { memberRoles } from '../rules.ts'
import { relationKinds } from './rules.ts'

export const Relation = shape({
  relation: oneOf(relationKinds),
  /** The other app; null where it is another team's. */
  appId: nullable(Id),
  /** Of the other app, else the package name that was claimed, or the alliance of stores. */
  name: text(255),
  packageName: nullable(text(255)),
  packageType: nullable(text(40)),
  series: nullable(shape({ seriesId: Id, name: text(64), role: oneOf(memberRoles) })),
  /** Where the successor is shown alone; `*` is everywhere. Empty for other relations. */
  countries: list(text(2)),
  /** The other team: its name after a move, the end of its id after a claim. */
  team: nullable(text(100)),
  /** Since when; null where it follows from names alone. */
  since: nullable(Instant),
})

/** What an app has to do with other apps. */
export const appRelations = service({
  name: 'distribute/series',
  prefix: '/amis/app-manage/v1',
  zone: 'current',
  permissions: ['series.read'],
  errors: {},
  calls: {
    listAppRelations: {
      method: 'GET',
      path: '/app/relation/list',
      who: 'cp',
      may: 'series.read',
      summary:
        'What an app has to do with others: successor and editions of its series, its alliance, the team it came from, names claimed, apps alike',
      query: shape({ appId: Id }),
      answer: shape({ list: list(Relation) }),
    },
  },
})

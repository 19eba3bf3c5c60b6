import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'

const Address = Type.String({ maxLength: 1000, pattern: '^$|^https://[^\\s]+$' })
export const platforms = ['ANDROID', 'HARMONY', 'IOS', 'WEB', 'OTHER'] as const
const fields = {
  appName: text(64, 1),
  /** An address of a picture. */
  icon: Address,
  storeUrl: Address,
  platform: oneOf(platforms),
  packageName: text(255, 1),
}

export const NonAgApp = shape({ id: Id, ...fields, createdAt: Instant, updatedAt: Instant, revision: Revision })

/** Apps the team has elsewhere: known here for numbers and advertising, not managed. */
export const nonAgApps = service({
  name: 'distribute/apps',
  prefix: '/amis/non-ag',
  zone: 'current',
  permissions: ['apps.read', 'apps.edit'],
  errors: {
    tooMany: [202010010, 422, 'A team can name at most {limit} apps that it has elsewhere.'],
    named: [202010011, 409, 'The team has named {packageName} for {platform} already.'],
  },
  calls: {
    listNonAgApps: {
      method: 'GET',
      path: '/non-ag-app/v1/list',
      who: 'cp',
      may: 'apps.read',
      summary: 'Apps the team has elsewhere, the newest first',
      query: shape({ search: optional(text(100)), ...PageQuery }),
      answer: pageOf(NonAgApp),
    },
    updateNonAgApp: {
      method: 'PUT',
      path: '/non-ag-app/v1/update',
      who: 'cp',
      may: 'apps.edit',
      summary: 'Names an app the team has elsewhere, or with its id changes one',
      body: shape({ id: optional(Id), ...fields, revision: optional(Revision) }),
      answer: NonAgApp,
    },
  },
})

import { type Contract, service } from '../../../../kernel/contract.ts'
import { Id, Instant, integer, list, nullable, oneOf, optional, shape, text } from '../../../../kernel/shape.ts'
import { offerLifeCycle } from './rules.ts'

const Lead = shape({
  leader: shape({ accountId: Id, name: text(64), loginName: text(254) }),
  /** The open offer of the lead, or null. */
  offer: nullable(
    shape({
      offerId: Id,
      toAccountId: Id,
      toName: text(64),
      state: oneOf([...offerLifeCycle.states]),
      expiresAt: Instant,
      revision: integer(0, 2_147_483_647),
      allowedActions: list(oneOf(['accept', 'decline', 'cancel'])),
    }),
  ),
})

export const transfer = service({
  name: 'ground/teams',
  prefix: '/ups/v1',
  zone: 'home',
  permissions: ['teams.read', 'teams.transfer'],
  errors: {
    offerOpen: [204111013, 409, 'The lead is held out to {name} already; cancel that offer first.'],
    offerMissing: [204111014, 422, 'There is no open offer of the lead; it was answered, canceled or ran out.'],
    notActive: [204111021, 422, 'Only an active member of the team can lead it.'],
  },
  calls: {
    getMainUser: {
      method: 'GET',
      path: '/main-user',
      who: 'cp',
      may: 'teams.read',
      summary: 'Who leads the team, and to whom the lead is held out',
      answer: Lead,
    },
    changeMainUser: {
      method: 'PUT',
      path: '/main-user',
      who: 'cp',
      may: 'none',
      summary:
        'Holds the lead out to a member for 72 hours (a fresh sign-in is needed), cancels that, accepts or declines it',
      body: shape({ action: oneOf(['offer', 'cancel', 'accept', 'decline']), accountId: optional(Id) }),
      answer: Lead,
    },
  },
})

/** The second generation of the same calls. */
export const transferV2: Contract<typeof transfer.calls, typeof transfer.errors> = { ...transfer, prefix: '/ups/v2' }

import { type Contract, service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { bindingLifeCycle } from './rules.ts'

const State = oneOf([...bindingLifeCycle.states])

const Binding = shape({
  bindingId: Id,
  /** The team that is served. */
  teamId: Id,
  teamName: text(64),
  /** The team that serves. */
  spId: Id,
  /** Null to the served team until the other has accepted. */
  spName: nullable(text(64)),
  note: text(300),
  state: State,
  createdAt: Instant,
  updatedAt: Instant,
  revision: integer(0, 2_147_483_647),
  allowedActions: list(oneOf(['accept', 'decline', 'cancel', 'end'])),
})

export const serviceProviders = service({
  name: 'ground/teams',
  prefix: '/ups/v1',
  zone: 'home',
  permissions: ['teams.read', 'teams.providers'],
  errors: {
    tooManyProviders: [204110027, 422, 'A team has at most {limit} service providers.'],
    alreadyBound: [204111015, 409, 'Team {spId} serves this team or is asked to already.'],
    ownTeam: [204111016, 422, 'A team cannot serve itself; send the id of the other team.'],
  },
  calls: {
    listServiceProviders: {
      method: 'GET',
      path: '/service-provider',
      who: 'cp',
      may: 'teams.read',
      summary: 'Teams that serve this one, or that this one serves (side provider)',
      query: shape({ ...PageQuery, side: optional(oneOf(['client', 'provider'])), state: optional(State) }),
      answer: pageOf(Binding),
    },
    inviteServiceProvider: {
      method: 'POST',
      path: '/service-provider',
      who: 'cp',
      may: 'teams.providers',
      summary: 'Asks a team to serve this one',
      body: shape({ spId: Id, note: optional(text(300)) }),
      answer: Binding,
    },
    changeServiceProvider: {
      method: 'PUT',
      path: '/service-provider',
      who: 'cp',
      may: 'teams.providers',
      summary: 'The provider accepts or declines, the served team cancels, either ends',
      body: shape({
        bindingId: Id,
        action: oneOf(['accept', 'decline', 'cancel', 'end']),
        revision: integer(1, 2_147_483_647),
      }),
      answer: Binding,
    },
    listServedTeams: {
      method: 'GET',
      path: '/service-provider/team/list',
      who: 'sp',
      may: 'teams.read',
      summary: 'The teams that the provider serves now',
      query: shape({ ...PageQuery }),
      answer: pageOf(shape({ bindingId: Id, teamId: Id, teamName: text(64), since: Instant })),
    },
  },
})

/** The second generation of the same calls. */
export const serviceProvidersV2: Contract<typeof serviceProviders.calls, typeof serviceProviders.errors> = {
  ...serviceProviders,
  prefix: '/ups/v2',
}

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
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { zoneIds } from '../../../kernel/zones.ts'
import { endReasons, scopes } from './rules.ts'

export const errors = {
  expired: [330401001, 401, 'The debugging token is over or was ended; get a new one in the console.'],
  tooMany: [330429001, 429, 'There are {limit} open debugging sessions; end one first.'],
} as const

export const Issued = shape({
  token: text(200),
  expiresIn: integer(1, 86_400),
  scopes: list(oneOf(scopes)),
  /** Where a debugging tool connects. */
  wsUrl: text(500),
  sessionId: Id,
})

const DebugSession = shape({
  sessionId: Id,
  projectId: nullable(Id),
  target: text(100),
  scopes: list(oneOf(scopes)),
  zone: oneOf(zoneIds),
  state: oneOf(['OPEN', 'CLOSED', 'EXPIRED']),
  endedBecause: nullable(oneOf(endReasons)),
  isOwn: flag(),
  uses: integer(0, 1e12),
  createdAt: Instant,
  lastUsedAt: nullable(Instant),
  expiresAt: Instant,
})

/** Tokens with which a member’s debugging tools prove whose they are. */
export const debugging = service({
  name: 'build/debug',
  prefix: '/clouddb-debug',
  zone: 'home',
  permissions: ['debug.use'],
  errors,
  calls: {
    issueDebugToken: {
      method: 'GET',
      path: '/userInfo/v3/token',
      who: 'cp',
      may: 'debug.use',
      summary: 'A token of fifteen minutes for a debugging tool; the one before for the same target ends',
      query: shape({ target: optional(text(100, 1)), projectId: optional(Id) }),
      answer: Issued,
    },
    readDebugToken: {
      method: 'GET',
      path: '/userInfo/v3/info',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      summary: 'Whose a debugging token is and what it opens; asked with the token as bearer',
      answer: shape({
        sessionId: Id,
        accountId: Id,
        teamId: Id,
        projectId: nullable(Id),
        target: text(100),
        scopes: list(oneOf(scopes)),
        expiresAt: Instant,
      }),
    },
    listDebugSessions: {
      method: 'GET',
      path: '/userInfo/v3/session',
      who: 'cp',
      may: 'debug.use',
      summary: 'Own debugging sessions of the last week, the newest first',
      query: shape({ state: optional(oneOf(['OPEN', 'CLOSED', 'EXPIRED'])), ...PageQuery }),
      answer: pageOf(DebugSession),
    },
    endDebugSession: {
      method: 'DELETE',
      path: '/userInfo/v3/session',
      who: 'cp',
      may: 'debug.use',
      summary: 'Ends an own debugging session at once',
      query: shape({ sessionId: Id }),
    },
  },
})

const Switches = shape({
  zone: oneOf(zoneIds),
  /** Whether the newer calls of cloud storage are used here. */
  isNewerStorage: flag(),
  switches: Type.Record(Type.String(), Type.Boolean()),
})

/** Switches of the cloud services in a zone, for the console and for debugging tools. */
export const cloudSwitches = service({
  name: 'build/debug',
  prefix: '/sws/switch-service/v1',
  zone: 'current',
  permissions: ['debug.use'],
  errors: { expired: errors.expired },
  calls: {
    issueSwitchToken: {
      method: 'GET',
      path: '/token',
      who: 'cp',
      may: 'debug.use',
      summary: 'A token of fifteen minutes with which a tool reads the switches of this zone',
      answer: Issued,
    },
    readCloudSwitches: {
      method: 'GET',
      path: '/switch/cloud',
      who: 'cp',
      may: 'none',
      summary: 'The switches of the cloud services in this zone',
      answer: Switches,
    },
    readSwitchesByToken: {
      method: 'GET',
      path: '/switch/cloud/tool',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      summary: 'The same for a tool, with the token as bearer',
      answer: Switches,
    },
  },
})

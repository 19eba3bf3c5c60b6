import { sheetFormats } from '../../../kernel/cells.ts'
import { service } from '../../../kernel/contract.ts'
import {
  flag,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  pattern,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { zoneIds } from '../../../kernel/zones.ts'
import {
  breakdowns,
  callbackPattern,
  eventNames,
  faces,
  languages,
  limits,
  nameKinds,
  nameSorts,
  teamSheets,
} from './rules.ts'

const amount = Type.Integer({ minimum: 0 })
const Uuid = pattern(
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  36,
  '5f0c9d0e-5b3a-4c67-9f0a-2d1f6f1b9a77',
)
const Day = pattern('^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$', 10, '2026-11-22')
const Face = oneOf([...faces])
const Language = oneOf([...languages])
/** Longer ones are cut, so that one long value loses no batch. */
const words = () => Type.String({ maxLength: limits.eventBytes })
/** What is counted by: one that is longer is refused, and a team has a bounded number of them. */
const Name = Type.String({ minLength: 1, maxLength: limits.nameLength })

const ReportedEvent = shape({
  eventId: Uuid,
  name: oneOf([...eventNames]),
  /** By the browser's clock. */
  at: Instant,
  /** Of the analytics: `consumer/en/service/josp/agc`. */
  pageName: words(),
  /** The route with its parameters still named: `/apps/$appId`. */
  page: Name,
  /** Of a click: what was pressed. */
  action: optional(Name),
  face: optional(Face),
  /** The last part of the hash. */
  serviceItem: words(),
  language: Language,
  domain: words(),
  /** A random id of this browser; only of people who agreed to be told apart for longer than a day. */
  DID: optional(Uuid),
  productID: optional(words()),
  appID: optional(words()),
  userType: optional(words()),
  countryID: optional(words()),
  /** Said, not proven: nothing is granted or counted by it. */
  teamID: optional(words()),
  childType: optional(words()),
  sourceChannel: optional(words()),
  urlRef: optional(words()),
  greyFlag: optional(integer(0, 1)),
  /** The browser says that a program drives it. */
  isDriven: optional(flag()),
  props: optional(Type.Record(Type.String(), Type.Union([words(), Type.Number(), Type.Boolean()]))),
})

const Batch = shape({
  /** By the same clock as `at`: what it is off is put right. */
  sentAt: optional(Instant),
  /** From `getReportTicket`: proves the team, so that it may read these events. */
  ticket: optional(text(200)),
  events: list(ReportedEvent, { minItems: 1, maxItems: limits.eventsOfBatch }),
})

const Address = {
  /** A batch as JSON. */
  data: text(limits.queryLength, 1),
  /** When it was made, so that no cache answers. */
  _: optional(text(32)),
}

const Use = {
  days: optional(integer(1, limits.daysOfUse)),
  /** One day alone. */
  day: optional(Day),
  language: optional(Language),
  face: optional(Face),
  /** Also what programs did. */
  withBots: optional(flag()),
}
const counts = { views: amount, clicks: amount, visitors: amount }
const UseDays = shape({
  ...counts,
  /** Some are told apart for a day only, so that over several days they count several times. */
  hasDailyPeople: flag(),
  list: list(shape({ day: Type.String(), ...counts })),
})
const UseShares = shape({
  total: amount,
  list: list(shape({ key: Type.String(), ...counts })),
  /** Events of everything beyond the list. */
  other: nullable(amount),
})

/** What people did in the console: reported by their browsers, kept in their zone, counted for staff and for teams. */
export const collect = service({
  name: 'analyse/collect',
  prefix: '/hianalytics',
  zone: 'current',
  permissions: ['collect.read'],
  errors: {},
  calls: {
    reportEvents: {
      method: 'POST',
      path: '/webv1',
      who: 'anonymous',
      may: 'none',
      kind: 'upload',
      transaction: false,
      rate: 'device',
      summary: 'Takes page and click events as JSON, also as text/plain as beacons send it; repeated ones count once',
      body: Batch,
      answer: shape({ accepted: amount, repeated: amount }),
    },
    reportByAddress: {
      method: 'GET',
      path: '/webv1',
      who: 'anonymous',
      may: 'none',
      kind: 'download',
      transaction: false,
      rate: 'device',
      summary: 'The same in an address: a script for a callback, nothing without one',
      query: shape({ ...Address, callback: optional(pattern(callbackPattern, 64, 'onReport')) }),
    },
    reportByPicture: {
      method: 'GET',
      path: '/webv1/p.gif',
      who: 'anonymous',
      may: 'none',
      kind: 'download',
      transaction: false,
      rate: 'device',
      summary: 'The same as a picture of one clear pixel',
      query: shape(Address),
    },
    getReportSettings: {
      method: 'GET',
      path: '/settings',
      who: 'anonymous',
      may: 'none',
      zone: 'home',
      rate: 'device',
      summary: 'Which zones take events, and at which host where that is not this one',
      answer: shape({
        list: list(shape({ zone: oneOf(zoneIds as ['CN', ...typeof zoneIds]), origin: nullable(Type.String()) })),
      }),
    },
    getReportTicket: {
      method: 'GET',
      path: '/ticket',
      who: 'cp',
      may: 'none',
      summary: 'Proves to the report address, which knows no session, that the sender acts for this team',
      answer: shape({ ticket: Type.String(), expiresAt: Instant }),
    },
    listTeamDays: {
      method: 'GET',
      path: '/team/use/days',
      who: 'cp',
      may: 'collect.read',
      summary: 'How the team used the console, by UTC day',
      query: shape(Use),
      answer: UseDays,
    },
    listTeamShares: {
      method: 'GET',
      path: '/team/use/shares',
      who: 'cp',
      may: 'collect.read',
      summary: 'How the team used the console, by page or another part; the most used first',
      query: shape({ ...Use, by: oneOf([...breakdowns]) }),
      answer: UseShares,
    },
    listTeamNames: {
      method: 'GET',
      path: '/team/use/names',
      who: 'cp',
      may: 'collect.read',
      summary: 'The pages, or the buttons, that the team used, and how many names are taken of those that are kept',
      query: shape({
        ...PageQuery,
        kind: oneOf([...nameKinds]),
        days: Use.days,
        search: optional(text(limits.nameLength)),
        sort: optional(oneOf([...nameSorts])),
        order: optional(oneOf(['asc', 'desc'])),
      }),
      answer: shape({
        ...pageOf(shape({ name: Type.String(), isOther: flag(), ...counts })).properties,
        taken: amount,
        most: amount,
      }),
    },
    exportTeamUse: {
      method: 'GET',
      path: '/team/use/export',
      who: 'cp',
      may: 'collect.read',
      kind: 'download',
      summary: 'Use of the console by the team as a CSV or XLSX file: by day, by page or by button',
      query: shape({
        sheet: oneOf([...teamSheets]),
        days: Use.days,
        format: oneOf(sheetFormats),
        language: optional(Language),
      }),
    },
    listUseDays: {
      method: 'GET',
      path: '/manage/use/days',
      who: 'manage',
      may: 'collect.read',
      summary: 'How the console is used in a zone, by UTC day',
      query: shape(Use),
      answer: UseDays,
    },
    listUseShares: {
      method: 'GET',
      path: '/manage/use/shares',
      who: 'manage',
      may: 'collect.read',
      summary: 'How the console is used in a zone, by page or another part; the most used first',
      query: shape({ ...Use, by: oneOf([...breakdowns]) }),
      answer: UseShares,
    },
    getUseFunnel: {
      method: 'GET',
      path: '/manage/use/funnel',
      who: 'manage',
      may: 'collect.read',
      summary: 'How many people came from each page to the next one, in this order',
      query: shape({ ...Use, steps: list(text(200, 1), { minItems: 2, maxItems: limits.stepsOfFunnel }) }),
      answer: shape({ list: list(shape({ page: Type.String(), visitors: amount })) }),
    },
  },
})

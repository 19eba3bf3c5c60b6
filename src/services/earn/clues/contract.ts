import { service } from '../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
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
import { dataTypes, limits } from './rules.ts'

const Word = text(limits.textLength, 1)
const DataTypeWord = oneOf([...dataTypes])
const Detail = shape({ serviceId: Word, serviceCode: Word, menuId: Word })
const Behavior = shape({
  dataType: DataTypeWord,
  detail: Detail,
  /** Made by the browser for one visit: what was looked at before signing in goes to the team with it. */
  visitId: optional(pattern('^[0-9a-f-]{36}$', 36, '5f0c9d0e-5b3a-4c67-9f0a-2d1f6f1b9a77')),
})
/** Not so where it was reported before, or the team is not in China. */
const Reported = shape({ isStored: flag() })

/** Sales clues: what people looked at in the console and may want to buy. */
export const clues = service({
  name: 'earn/clues',
  prefix: '/mms/clues-service/v1',
  zone: 'current',
  permissions: ['clues.read'],
  errors: {},
  calls: {
    reportBehavior: {
      method: 'POST',
      path: '/cp/clues/behavior',
      who: 'cp',
      may: 'none',
      rate: 'clue',
      summary: 'Says what a member of a team looked at; kept once a session, of teams in China only',
      body: Behavior,
      answer: Reported,
    },
    reportAnonymousBehavior: {
      method: 'POST',
      path: '/cp/clues/behavior/anonymous',
      who: 'anonymous',
      may: 'none',
      rate: 'clue',
      summary: 'Says what somebody not signed in looked at; kept once a visit, in China only',
      body: Behavior,
      answer: Reported,
    },
    listBehaviors: {
      method: 'GET',
      path: '/manage/clues/behaviors',
      who: 'manage',
      may: 'clues.read',
      summary: 'What was looked at, the newest first; search is for a service, a menu entry or a team',
      query: shape({ ...PageQuery, search: optional(text(64)), dataType: optional(DataTypeWord) }),
      answer: pageOf(
        shape({
          behaviorId: Id,
          dataType: DataTypeWord,
          serviceId: Type.String(),
          serviceCode: Type.String(),
          menuId: Type.String(),
          teamId: nullable(Id),
          teamName: nullable(Type.String()),
          at: Instant,
        }),
      ),
    },
  },
})

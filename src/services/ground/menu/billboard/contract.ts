import { service } from '../../../../kernel/contract.ts'
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
} from '../../../../kernel/shape.ts'
import { Link, Zones } from '../announcements/contract.ts'
import { LocalTitle, menuErrors, menuPermissions, menuPrefix } from '../contract.ts'
import { limits } from '../rules.ts'

const Words = shape({ zh: text(200), en: text(200), ru: text(200) })
const tones = ['blue', 'green', 'amber', 'grey'] as const
const Tone = oneOf(tones)
const Count = integer(0, Number.MAX_SAFE_INTEGER)
const words = {
  title: LocalTitle,
  text: Words,
  href: Link,
  tone: Tone,
  weight: integer(0, limits.weight),
  zones: Zones,
  isOn: flag(),
  startAt: nullable(Instant),
  endAt: nullable(Instant),
}
const Slot = shape({
  slotId: Id,
  ...words,
  shown: Count,
  clicked: Count,
  people: Count,
  updatedAt: Instant,
  revision: Revision,
})
const params = shape({ slotId: Id })

export const billboard = service({
  name: 'ground/menu',
  prefix: menuPrefix,
  zone: 'home',
  permissions: menuPermissions,
  errors: menuErrors,
  calls: {
    getBillboard: {
      method: 'GET',
      path: '/billboard',
      who: 'cp',
      may: 'none',
      summary: 'The slots of this turn, drawn by weight; they stay for ten minutes',
      query: shape({ count: optional(integer(1, limits.billboardAtOnce)) }),
      answer: shape({
        untilAt: Instant,
        list: list(shape({ slotId: Id, title: LocalTitle, text: Words, href: Link, tone: Tone })),
      }),
    },
    recordImpressions: {
      method: 'POST',
      path: '/billboard/impressions',
      who: 'cp',
      may: 'none',
      summary: 'Says that slots were seen or followed',
      body: shape({
        slotIds: Type.Array(Id, { minItems: 1, maxItems: limits.billboardAtOnce, uniqueItems: true }),
        kind: oneOf(['shown', 'clicked']),
      }),
    },
    listSlots: {
      method: 'GET',
      path: '/manage/billboard',
      who: 'manage',
      may: 'menu.announce',
      summary: 'All slots with how often they were seen and followed',
      query: shape({ ...PageQuery }),
      answer: pageOf(Slot),
    },
    createSlot: {
      method: 'POST',
      path: '/manage/billboard',
      who: 'manage',
      may: 'menu.announce',
      summary: 'Makes a slot',
      body: shape(words),
      answer: Slot,
    },
    updateSlot: {
      method: 'PUT',
      path: '/manage/billboard/:slotId',
      who: 'manage',
      may: 'menu.announce',
      summary: 'Changes a slot',
      params,
      body: shape({ ...words, revision: Revision }),
      answer: Slot,
    },
    deleteSlot: {
      method: 'DELETE',
      path: '/manage/billboard/:slotId',
      who: 'manage',
      may: 'menu.announce',
      summary: 'Deletes a slot with its counts',
      params,
    },
  },
})

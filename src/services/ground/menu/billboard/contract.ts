import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  shape,
  Type,
} from '../../../../kernel/shape.ts'
import { Link, menuErrors, menuPermissions, menuPrefix, told } from '../contract.ts'
import { limits, slotTones } from '../rules.ts'

const Tone = oneOf(slotTones)
const Count = integer(0, Number.MAX_SAFE_INTEGER)
const shown = told({ title: 64, text: 200 })
const words = { ...shown, href: Link, tone: Tone, weight: integer(0, limits.weight), isOn: flag() }
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
        list: list(shape({ slotId: Id, title: shown.title, text: shown.text, href: Link, tone: Tone })),
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

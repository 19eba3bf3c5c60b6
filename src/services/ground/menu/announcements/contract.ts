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
  text,
} from '../../../../kernel/shape.ts'
import { Link, menuErrors, menuPermissions, menuPrefix, told } from '../contract.ts'
import { announcementActions, announcementKinds, announcementStates, limits } from '../rules.ts'

const Kind = oneOf(announcementKinds)
const State = oneOf(announcementStates)
const { zones, ...shown } = told({ title: limits.titleLength, text: limits.textLength, leastText: 1 })

const Announcement = shape({
  announcementId: Id,
  kind: Kind,
  ...shown,
  href: nullable(Link),
  isBanner: flag(),
  state: State,
  isDismissed: flag(),
})
const Written = shape({
  announcementId: Id,
  kind: Kind,
  ...shown,
  href: nullable(Link),
  isBanner: flag(),
  zones,
  state: State,
  dismissals: integer(0, 2_147_483_647),
  updatedAt: Instant,
  revision: Revision,
  allowedActions: list(oneOf(announcementActions)),
})
const words = { kind: Kind, ...shown, zones, href: optional(nullable(Link)), isBanner: flag() }
const params = shape({ announcementId: Id })

export const announcements = service({
  name: 'ground/menu',
  prefix: menuPrefix,
  zone: 'home',
  permissions: menuPermissions,
  errors: menuErrors,
  calls: {
    listAnnouncements: {
      method: 'GET',
      path: '/announcements',
      who: 'cp',
      may: 'none',
      summary: 'What is told in the team’s zone, the newest first; the archive with state ended',
      query: shape({ ...PageQuery, state: optional(oneOf(['live', 'ended'])), isBanner: optional(flag()) }),
      answer: pageOf(Announcement),
    },
    getAnnouncement: {
      method: 'GET',
      path: '/announcements/:announcementId',
      who: 'cp',
      may: 'none',
      summary: 'One announcement',
      params,
      answer: Announcement,
    },
    dismissAnnouncement: {
      method: 'POST',
      path: '/announcements/:announcementId/dismiss',
      who: 'cp',
      may: 'none',
      summary: 'Does not show it to this person as a banner again',
      params,
    },
    listWritten: {
      method: 'GET',
      path: '/manage/announcements',
      who: 'manage',
      may: 'menu.announce',
      summary: 'All announcements in every state, the newest first',
      query: shape({ ...PageQuery, state: optional(State), search: optional(text(64)) }),
      answer: pageOf(Written),
    },
    writeAnnouncement: {
      method: 'POST',
      path: '/manage/announcements',
      who: 'manage',
      may: 'menu.announce',
      summary: 'Writes a draft in three languages',
      body: shape(words),
      answer: Written,
    },
    updateAnnouncement: {
      method: 'PUT',
      path: '/manage/announcements/:announcementId',
      who: 'manage',
      may: 'menu.announce',
      summary: 'Changes the words, the times and the zones',
      params,
      body: shape({ ...words, revision: Revision }),
      answer: Written,
    },
    actOnAnnouncement: {
      method: 'POST',
      path: '/manage/announcements/:announcementId/action',
      who: 'manage',
      may: 'menu.announce',
      summary: 'Schedules, publishes, withdraws, ends or deletes it',
      params,
      body: shape({ action: oneOf(announcementActions), revision: Revision }),
      answer: shape({ state: nullable(State) }),
    },
  },
})

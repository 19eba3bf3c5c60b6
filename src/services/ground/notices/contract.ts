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
  pattern,
  Revision,
  shape,
  text,
} from '../../../kernel/shape.ts'
import { categories, channels, digests, limits } from './rules.ts'

const Category = oneOf(categories)
const Channel = oneOf(channels)

const Cell = { category: Category, channel: Channel, enabled: flag() }
const Digest = {
  digest: oneOf(digests),
  digestAt: pattern('^([01][0-9]|2[0-3]):[0-5][0-9]$', 5, '09:00'),
  timeZone: text(64, 1, { examples: ['Asia/Shanghai'] }),
}

export const NoticeSettings = shape({
  settings: list(shape({ ...Cell, locked: flag() })),
  ...Digest,
  /** What can carry a notice on this machine, and why something cannot. */
  channels: list(
    shape({
      channel: Channel,
      available: flag(),
      reason: nullable(oneOf(['noProvider', 'noAddress'])),
      address: nullable(text(254)),
    }),
  ),
  revision: Revision,
})

const LocalText = (max: number) => shape({ zh: text(max), en: text(max), ru: text(max) })

export const Notice = shape({
  noticeId: Id,
  category: Category,
  kind: text(80),
  title: LocalText(limits.titleLength),
  text: LocalText(limits.textLength),
  href: nullable(text(300)),
  entityId: text(200),
  teamId: nullable(Id),
  createdAt: Instant,
  readAt: nullable(Instant),
})

export const KeptMail = shape({
  mailId: text(40),
  to: text(254),
  subject: text(500),
  sentAt: Instant,
})

const MailParams = shape({ mailId: text(40, 1, { examples: ['001700000000000-000000-00000000'] }) })
const token = text(300, 1)

export const notices = service({
  name: 'ground/notices',
  prefix: '/notice/notice/v1',
  zone: 'current',
  permissions: ['notices.mails'],
  errors: {
    mailsNotKept: [201070001, 422, 'Mails go out by SMTP on this machine; look into the mailboxes.'],
    mailsNotShown: [
      201070002,
      422,
      'This console has a public address, so mails with sign-in links are not shown here; they lie in the folder mail below the data folder.',
    ],
    badUnsubscribe: [201070003, 400, 'This link is not whole; open the one in the mail, or use the notice settings.'],
  },
  calls: {
    getSettings: {
      method: 'GET',
      path: '/user-notice-setting',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Which categories reach the person by which channel, and the digest',
      answer: NoticeSettings,
    },
    putSettings: {
      method: 'PUT',
      path: '/user-notice-setting',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Changes the cells that are sent, and the digest; a locked cell cannot be changed',
      body: shape({
        settings: list(shape({ ...Cell, locked: optional(flag()) }), {
          maxItems: categories.length * channels.length,
        }),
        ...Digest,
        revision: Revision,
      }),
      answer: NoticeSettings,
    },
    listNotices: {
      method: 'GET',
      path: '/notices',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'The inbox, the newest first; since gives only what is newer than a notice',
      query: shape({
        category: optional(Category),
        unread: optional(flag()),
        since: optional(Id),
        ...PageQuery,
      }),
      answer: pageOf(Notice),
    },
    countUnread: {
      method: 'GET',
      path: '/unread-count',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'How many notices are unread, and the newest one',
      answer: shape({ unread: integer(0, 2_147_483_647), latestId: nullable(Id) }),
    },
    markRead: {
      method: 'PUT',
      path: '/notices/:noticeId/read',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Marks one notice as read, or as unread again',
      params: shape({ noticeId: Id }),
      body: shape({ read: flag() }),
      answer: Notice,
    },
    markAllRead: {
      method: 'POST',
      path: '/notices/read-all',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Marks all notices as read, of one category and up to one notice where they are named',
      body: shape({ category: optional(Category), upTo: optional(Id) }),
      answer: shape({ marked: integer(0, 2_147_483_647) }),
    },
    deleteNotice: {
      method: 'DELETE',
      path: '/notices/:noticeId',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Takes one notice out of the inbox',
      params: shape({ noticeId: Id }),
    },
    showUnsubscribe: {
      method: 'GET',
      path: '/unsubscribe',
      who: 'anonymous',
      may: 'none',
      kind: 'download',
      summary: 'Leads to the page that asks before it ends mails; opening a link changes nothing',
      query: shape({ token }),
    },
    unsubscribe: {
      method: 'POST',
      path: '/unsubscribe',
      who: 'anonymous',
      may: 'none',
      kind: 'upload',
      summary: 'Ends mails of one category with the signed link of a mail, in one request (RFC 8058)',
      query: shape({ token }),
      answer: shape({ what: oneOf([...categories, 'digest']) }),
    },
    listMails: {
      method: 'GET',
      path: '/mails',
      who: 'manage',
      may: 'notices.mails',
      transaction: false,
      summary: 'Mails that a development machine kept instead of sending them, the newest first',
      query: shape(PageQuery),
      answer: pageOf(KeptMail),
    },
    getMail: {
      method: 'GET',
      path: '/mails/:mailId',
      who: 'manage',
      may: 'notices.mails',
      transaction: false,
      summary: 'One kept mail: text, whether it has html, and its headers as they would have gone out',
      params: MailParams,
      answer: shape({
        ...KeptMail.properties,
        text: text(1_000_000),
        hasHtml: flag(),
        headers: list(shape({ name: text(100), value: text(5_000) })),
      }),
    },
    getMailHtml: {
      method: 'GET',
      path: '/mails/:mailId/html',
      who: 'manage',
      may: 'notices.mails',
      kind: 'download',
      transaction: false,
      summary: 'The html of a kept mail, in a sandbox: no scripts, no requests',
      params: MailParams,
    },
  },
})

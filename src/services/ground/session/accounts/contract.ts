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
  pattern,
  Revision,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { shared, Ticket } from '../contract.ts'
import { passwordLength } from '../rules.ts'

const MailAddress = pattern('^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 254, 'mira@example.com')
const LoginName = pattern('^\\S(.*\\S)?$', 100, 'mira')
const Name = text(64, 1)
/** Counted in characters by the rules; twice as many units hold them all. */
const NewPassword = text(passwordLength.max * 2, passwordLength.min)
const language = oneOf(['zh', 'en', 'ru'])
const Status = integer(1, 6)

export const Profile = shape({
  accountId: Id,
  loginName: text(254),
  name: Name,
  email: nullable(text(254)),
  phone: nullable(text(30)),
  language,
  siteId: integer(0, 99),
  status: Status,
  verifyRealState: integer(0, 5),
  hasPassword: flag(),
  passwordChangedAt: Instant,
  /** Staff rights wait until a second factor was shown in this session. */
  needsSecondFactor: flag(),
  createdAt: Instant,
  revision: Revision,
})

export const ManagedAccount = shape({
  accountId: Id,
  loginName: text(254),
  name: text(64),
  email: nullable(text(254)),
  status: Status,
  verifyRealState: integer(0, 5),
  staffRoles: list(text(40)),
  createdAt: Instant,
  revision: Revision,
})

export const accountCalls = service({
  ...shared,
  prefix: '/oauth2/v1',
  calls: {
    startSignUp: {
      method: 'POST',
      path: '/sign-up',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      summary: 'Mails a link for making an account; the answer is the same for an address that has one',
      body: shape({ email: MailAddress, language: optional(language) }),
    },
    signUp: {
      method: 'POST',
      path: '/sign-up/finish',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      transaction: false,
      summary: 'Makes the account of the mailed link',
      body: shape({ token: Ticket, name: Name, password: NewPassword, language: optional(language) }),
      answer: shape({ loginName: text(254) }),
    },
    setUp: {
      method: 'POST',
      path: '/set-up',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      transaction: false,
      summary: 'Makes the first administrator of an empty installation with the token from its log',
      body: shape({
        token: Ticket,
        loginName: LoginName,
        name: Name,
        password: NewPassword,
        email: optional(MailAddress),
      }),
      answer: shape({ loginName: text(254) }),
    },
    getProfile: {
      method: 'GET',
      path: '/profile',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'The account of who asks',
      answer: Profile,
    },
    updateProfile: {
      method: 'PUT',
      path: '/profile',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Changes name, telephone number and the language of mails',
      body: shape({
        name: Name,
        phone: optional(nullable(pattern('^\\+?[0-9 ()-]{5,29}$', 30, '+49 30 1234567'))),
        language,
        revision: Revision,
      }),
      answer: Profile,
    },
    startEmail: {
      method: 'POST',
      path: '/profile/email',
      who: 'cp',
      may: 'none',
      team: 'none',
      rate: 'signIn',
      summary: 'Mails a link that proves a new address; asks for a recent proof of the person',
      body: shape({ email: MailAddress }),
    },
    confirmEmail: {
      method: 'POST',
      path: '/email/confirm',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      summary: 'Takes over the address that the mailed link proves',
      body: shape({ token: Ticket }),
      answer: shape({ email: text(254) }),
    },
    listAccounts: {
      method: 'GET',
      path: '/manage/accounts',
      who: 'manage',
      may: 'session.operate',
      summary: 'All accounts, the newest first',
      query: shape({ ...PageQuery, search: optional(text(100)), status: optional(Status) }),
      answer: pageOf(ManagedAccount),
    },
    setAccountStatus: {
      method: 'PUT',
      path: '/manage/accounts/:accountId/status',
      who: 'manage',
      may: 'session.operate',
      summary: 'Opens, locks or freezes an account, marks it for deletion, or makes it sign in again',
      params: shape({ accountId: Id }),
      body: shape({ status: Status, reason: optional(text(500)), revision: Revision }),
      answer: ManagedAccount,
    },
  },
})

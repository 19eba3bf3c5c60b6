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
  type Static,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { errors, permissions } from '../contract.ts'
import { redirectsMost } from '../hosted/rules.ts'
import { limits, providerKinds, providerNames, templateKinds, templateLanguages } from '../rules.ts'

const Country = pattern('^\\+[1-9][0-9]{0,2}$', 4, '+49')
const Address = text(1000)
const Day = pattern('^\\d{4}-\\d{2}-\\d{2}$', 10, '2026-11-22')

const settings = {
  enabled: flag(),
  accessSeconds: integer(limits.accessSecondsLeast, limits.accessSecondsMost),
  refreshDays: integer(1, limits.refreshDaysMost),
  rotation: oneOf(['byUse', 'strict']),
  passwordPolicy: shape({ minLength: integer(limits.passwordLeast, limits.passwordMost), classes: integer(1, 4) }),
  allowedOrigins: Type.Array(text(300, 1), { maxItems: 50, uniqueItems: true }),
  smsCountries: shape({
    mode: oneOf(['ALL', 'ALLOW', 'DENY']),
    list: Type.Array(Country, { maxItems: 250, uniqueItems: true }),
  }),
  smsPerDay: integer(0, 1_000_000),
  smsEngine: oneOf(['outbox', 'webhook']),
  smsWebhookUrl: Address,
  sendsWelcome: flag(),
  mfa: oneOf(['OFF', 'OPTIONAL', 'REQUIRED']),
}

const Product = shape({
  projectId: Id,
  ...settings,
  hasSmsSecret: flag(),
  /** Whether text messages leave this installation; false is the outbox, which only keeps them. */
  isSmsDelivered: flag(),
  keySetUrl: Address,
  issuer: Address,
  revision: integer(0, 2_147_483_647),
})

const Method = shape({
  provider: integer(0, 99),
  name: oneOf(providerNames),
  kind: oneOf([...new Set(Object.values(providerKinds))] as ['own', 'openid', 'oauth', 'key']),
  enabled: flag(),
  config: Type.Record(Type.String(), Type.String()),
  hasSecret: flag(),
  users: integer(0, 1_000_000_000),
  revision: integer(0, 2_147_483_647),
})

const MethodBody = shape({
  projectId: Id,
  provider: integer(0, 99),
  enabled: flag(),
  config: optional(Type.Record(pattern('^[a-zA-Z]{1,30}$', 30, 'issuer'), text(4000), { maxProperties: 20 })),
  secret: optional(text(2000, 1)),
  revision: optional(Revision),
})

const host = {
  enabled: flag(),
  appName: text(60),
  logoUrl: Address,
  color: pattern('^#[0-9a-fA-F]{6}$', 7, '#0a59f7'),
  supportMail: text(254),
  termsUrl: Address,
  privacyUrl: Address,
}
const Redirects = Type.Array(text(1000, 1), { maxItems: redirectsMost, uniqueItems: true })
const Host = shape({
  projectId: Id,
  ...host,
  redirectUris: Redirects,
  issuer: Address,
  revision: integer(0, 2_147_483_647),
})
const HostBody = shape({ projectId: Id, ...host, redirectUris: optional(Redirects), revision: optional(Revision) })

const templateBody = { subject: text(200), body: text(limits.templateLength, 1) }
const Template = shape({
  kind: oneOf(templateKinds),
  language: oneOf(templateLanguages),
  ...templateBody,
  isDefault: flag(),
  revision: integer(0, 2_147_483_647),
})
const Shown = shape({ subject: text(2000), text: text(20_000) })

const Carrier = pattern('^[a-z0-9][a-z0-9-]{1,30}$', 31, 'china-mobile')
const QuickLogin = shape({
  carrier: Carrier,
  appId: text(100),
  checkUrl: Address,
  enabled: flag(),
  revision: Revision,
})
const QuickLoginBody = {
  projectId: Id,
  carrier: Carrier,
  appId: text(100, 1),
  checkUrl: text(1000, 1),
  enabled: flag(),
}

const Message = shape({
  messageId: Id,
  phone: text(30),
  country: text(5),
  text: text(4000),
  state: oneOf(['QUEUED', 'KEPT', 'SENT', 'FAILED']),
  engine: text(20),
  reason: nullable(text(300)),
  isTest: flag(),
  createdAt: Instant,
  sentAt: nullable(Instant),
  usedAt: nullable(Instant),
})

const ofProject = { query: shape({ projectId: Id }) }

export const authSettings = service({
  name: 'build/app-auth',
  prefix: '/tas/third-auth-service/v1',
  zone: 'current',
  permissions,
  errors,
  calls: {
    getProduct: {
      method: 'GET',
      path: '/auth-product',
      who: 'cp',
      may: 'appAuth.read',
      summary: 'How users of a project sign in, and where the keys of their tokens are published',
      ...ofProject,
      answer: Product,
    },
    putProduct: {
      method: 'PUT',
      path: '/auth-product',
      who: 'cp',
      may: 'appAuth.edit',
      summary: 'Sets how users of a project sign in',
      body: shape({ projectId: Id, ...settings, newSmsSecret: optional(flag()), revision: optional(Revision) }),
      answer: shape({ product: Product, smsSecret: nullable(text(100)) }),
    },
    listMethods: {
      method: 'GET',
      path: '/auth-method',
      who: 'cp',
      may: 'appAuth.read',
      summary: 'The ways in of a project, all that there are',
      ...ofProject,
      answer: shape({ list: list(Method) }),
    },
    createMethod: {
      method: 'POST',
      path: '/auth-method',
      who: 'cp',
      may: 'appAuth.edit',
      transaction: false,
      summary: 'Sets a way in; the metadata of an OpenID provider is read first',
      body: MethodBody,
      answer: Method,
    },
    updateMethod: {
      method: 'PUT',
      path: '/auth-method',
      who: 'cp',
      may: 'appAuth.edit',
      transaction: false,
      summary: 'Changes a way in; the secret must be sent again when where it goes changes',
      body: MethodBody,
      answer: Method,
    },
    deleteMethod: {
      method: 'DELETE',
      path: '/auth-method',
      who: 'cp',
      may: 'appAuth.edit',
      summary: 'Turns a way in off and forgets its settings; users keep it and come in again when it is set up again',
      query: shape({ projectId: Id, provider: Type.Integer({ minimum: 0, maximum: 99 }) }),
    },
    getHost: {
      method: 'GET',
      path: '/host-auth-config',
      who: 'cp',
      may: 'appAuth.read',
      summary: 'What mails and messages to users say of the app',
      ...ofProject,
      answer: Host,
    },
    createHost: {
      method: 'POST',
      path: '/host-auth-config',
      who: 'cp',
      may: 'appAuth.edit',
      summary: 'Sets what mails and messages to users say of the app',
      body: HostBody,
      answer: Host,
    },
    updateHost: {
      method: 'PUT',
      path: '/host-auth-config',
      who: 'cp',
      may: 'appAuth.edit',
      summary: 'Changes what mails and messages to users say of the app',
      body: HostBody,
      answer: Host,
    },
    listTemplates: {
      method: 'GET',
      path: '/host-template',
      who: 'cp',
      may: 'appAuth.read',
      summary: 'The texts of mails and messages in each language',
      ...ofProject,
      answer: shape({ list: list(Template) }),
    },
    putTemplate: {
      method: 'PUT',
      path: '/host-template',
      who: 'cp',
      may: 'appAuth.edit',
      summary: 'Sets a text, shows how it would look, or goes back to the default',
      body: shape({
        projectId: Id,
        kind: oneOf(templateKinds),
        language: oneOf(templateLanguages),
        action: optional(oneOf(['SAVE', 'PREVIEW', 'RESET'])),
        ...templateBody,
        revision: optional(Revision),
      }),
      answer: shape({ template: Template, preview: Shown }),
    },
    testTemplate: {
      method: 'POST',
      path: '/host-template/test',
      who: 'cp',
      may: 'appAuth.edit',
      summary: 'Sends a text with a made-up code to an address',
      body: shape({ projectId: Id, kind: oneOf(templateKinds), language: oneOf(templateLanguages), to: text(254, 3) }),
    },
    getSmsUsage: {
      method: 'GET',
      path: '/sms-usage',
      who: 'cp',
      may: 'appAuth.read',
      summary: 'Text messages by day and country: sent, kept, failed, used',
      query: shape({ projectId: Id, from: optional(Day), to: optional(Day) }),
      answer: shape({
        list: list(
          shape({
            date: Day,
            country: text(5),
            sent: integer(0, 1e9),
            kept: integer(0, 1e9),
            failed: integer(0, 1e9),
            used: integer(0, 1e9),
          }),
        ),
        from: Day,
        to: Day,
        blocked: list(shape({ country: text(5), until: Instant })),
        today: integer(0, 1e9),
        perDay: integer(0, 1e9),
      }),
    },
    listMessages: {
      method: 'GET',
      path: '/sms-message',
      who: 'cp',
      may: 'appAuth.users',
      summary: 'The text messages of a project, the newest first; those kept were delivered to nobody',
      query: shape({ projectId: Id, state: optional(oneOf(['QUEUED', 'KEPT', 'SENT', 'FAILED'])), ...PageQuery }),
      answer: pageOf(Message),
    },
    testSms: {
      method: 'POST',
      path: '/sms-test',
      who: 'cp',
      may: 'appAuth.edit',
      summary: 'Sends a text message with a made-up code',
      body: shape({ projectId: Id, phone: text(40, 4), language: optional(oneOf(templateLanguages)) }),
      answer: shape({ messageId: Id, isDelivered: flag() }),
    },
    listQuickLogins: {
      method: 'GET',
      path: '/quick-login',
      who: 'cp',
      may: 'appAuth.read',
      summary: 'The carriers by which a project signs phones in with one tap',
      ...ofProject,
      answer: shape({ list: list(QuickLogin) }),
    },
    createQuickLogin: {
      method: 'POST',
      path: '/quick-login',
      who: 'cp',
      may: 'appAuth.edit',
      summary: 'Sets up a carrier',
      body: shape({ ...QuickLoginBody, appKey: text(500, 1) }),
      answer: QuickLogin,
    },
    updateQuickLogin: {
      method: 'PUT',
      path: '/quick-login',
      who: 'cp',
      may: 'appAuth.edit',
      summary: 'Changes a carrier; its key must be sent again with another address',
      body: shape({ ...QuickLoginBody, appKey: optional(text(500, 1)), revision: Revision }),
      answer: QuickLogin,
    },
  },
})

export type ProductView = Static<typeof Product>
export type MethodView = Static<typeof Method>
export type TemplateView = Static<typeof Template>

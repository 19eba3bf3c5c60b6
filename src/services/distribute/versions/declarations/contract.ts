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
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { AiContent, Finding } from '../contract.ts'
import { limits } from '../rules.ts'
import { aiContentTypes } from './rules.ts'

const AppQuery = shape({ appId: Id })
const Address = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^@\\s]+@[^@\\s]+$',
  examples: ['dev@example.com'],
})
const Declaration = shape({ appId: Id, ...AiContent.properties, updatedAt: nullable(Instant), revision: Revision })

/** What a developer declares besides the listing, and what a form for it asks. */
export const versionDeclarations = service({
  name: 'distribute/versions',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['versions.read', 'versions.edit'],
  errors: {
    codeTooSoon: [202030012, 429, 'A code was sent a moment ago; ask for another from {available} on.'],
    noCode: [202030013, 422, 'No code waits for {address}; ask for one first.'],
    wrongAiTypes: [
      202030014,
      400,
      'Name at least one type of AI content and who provides the model, or say that none is involved.',
    ],
  },
  calls: {
    getAiContent: {
      method: 'GET',
      path: '/version/future/ai-content',
      who: 'cp',
      may: 'versions.read',
      summary: 'What the next version declares about content made by AI',
      query: AppQuery,
      answer: Declaration,
    },
    updateAiContent: {
      method: 'PUT',
      path: '/version/future/ai-content',
      who: 'cp',
      may: 'versions.edit',
      summary: 'Declares what the next version has of content made by AI; it goes into the version with the submit',
      body: shape({
        appId: Id,
        involved: flag(),
        types: Type.Array(Type.Enum(aiContentTypes as unknown as number[]), { maxItems: 5, uniqueItems: true }),
        providerNames: optional(text(limits.aiProviderLength)),
        algorithmFilingNo: optional(text(limits.aiFilingLength)),
        revision: optional(Revision),
      }),
      answer: Declaration,
    },
    getFormModel: {
      method: 'GET',
      path: '/version/future/model',
      who: 'cp',
      may: 'versions.read',
      summary: 'The fields of the next version as a form shows them: kind, limit, whether and when they are needed',
      query: AppQuery,
      answer: shape({
        list: list(
          shape({
            key: text(60),
            section: oneOf(['package', 'release', 'countries', 'review', 'listing', 'ai']),
            type: oneOf(['text', 'longText', 'flag', 'number', 'instant', 'choice', 'list', 'object', 'objects']),
            required: flag(),
            maxLen: nullable(Type.Integer()),
            options: list(text(40)),
            /** The field is shown while another one has this value. */
            visibleWhen: nullable(shape({ key: text(60), equals: text(40) })),
          }),
        ),
      }),
    },
    validateContact: {
      method: 'POST',
      path: '/app/version/contact/validate',
      who: 'cp',
      may: 'versions.edit',
      summary: 'Without a code sends one to a mail address that reviewers may use; with it proves the address',
      body: shape({
        appId: Id,
        address: Address,
        code: optional(Type.String({ pattern: '^[0-9]{6}$', examples: ['123456'] })),
      }),
      answer: shape({
        state: oneOf(['SENT', 'VALID', 'WRONG', 'USED_UP']),
        address: text(254),
        triesLeft: integer(0, limits.contactTries),
        expiresAt: nullable(Instant),
        validatedAt: nullable(Instant),
      }),
    },
    checkAgreements: {
      method: 'POST',
      path: '/agreement/check',
      who: 'cp',
      may: 'versions.read',
      summary:
        'What stands in the way of the version being prepared as to agreements and privacy, as readiness sees it',
      body: AppQuery,
      answer: shape({ isPassed: flag(), list: list(Finding) }),
    },
  },
})

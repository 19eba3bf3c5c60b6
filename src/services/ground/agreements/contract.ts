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
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { countryCodes, LocalName, languageKeys } from '../regions/contract.ts'
import { everywhere, limits } from './rules.ts'

export const shared = {
  name: 'ground/agreements',
  zone: 'home',
  permissions: ['agreements.read', 'agreements.edit', 'agreements.sign', 'agreements.publish', 'agreements.decide'],
  errors: {
    mustSign: [204121001, 403, 'Sign first what waits for it, then do this again: {names}.'],
    notInForce: [
      201110001,
      409,
      'Version {version} is not the one in force; read version {latestVersion} and sign that.',
    ],
    otherText: [
      201110002,
      409,
      'The digest is not that of the text in {language}; read the text again and sign what you read.',
    ],
    notWithdrawable: [201110003, 422, 'This agreement cannot be withdrawn; delete the account to end it.'],
    neverSigned: [201110004, 422, 'It was not signed, so there is nothing to withdraw.'],
    otherCountry: [201110005, 403, 'The documents of {country} are not yours; sign those of {ownCountry}.'],
    kindTaken: [201110006, 409, 'Documents of {agrType}/{branchId} were published, so who signs it stays as it is.'],
    tooManyKinds: [201110007, 422, 'There are at most {limit} kinds of agreements.'],
    draftOpen: [201110008, 409, 'There is a draft for {country} already; finish or delete that one first.'],
    notReady: [201110009, 422, 'It cannot be published: {missing}.'],
    published: [201110010, 422, 'What was published is never changed; write the next version.'],
    inForce: [201110011, 422, 'It is in force and cannot be recalled; publish the next version.'],
    noteMissing: [201110012, 422, 'Say in the note what has to be changed.'],
  },
} as const

export const AgrType = integer(1, limits.number)
export const BranchId = integer(0, limits.number)
export const Country = oneOf([everywhere, ...countryCodes])
export const Language = oneOf(languageKeys as unknown as string[])
export const Digest = pattern('^[0-9a-f]{64}$', 64, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
export const Version = integer(0, 1_000_000)
export const Title = text(limits.titleLength, 1)
export const Body = text(limits.bodyLength, 1)
export const kindKey = { agrType: AgrType, branchId: BranchId }

export const standing = {
  ...kindKey,
  name: LocalName,
  country: Country,
  /** Of the text that was signed; null where none was. */
  language: nullable(Language),
  /** The version that was agreed to; 0 where none is. */
  version: Version,
  latestVersion: Version,
  isRequired: flag(),
  isAgree: flag(),
  needSign: flag(),
  graceUntil: nullable(Instant),
  /** The grace is over: nothing is written before it is signed. */
  isBlocking: flag(),
}

/** Several signatures at once, of a person or of a team: all or none. */
export const SignBody = shape({
  signInfo: Type.Array(
    shape({
      ...kindKey,
      country: Country,
      language: Language,
      version: integer(1, 1_000_000),
      isAgree: flag(),
      /** SHA-256 of the text that was read; needed to agree. */
      bodyHash: optional(Digest),
    }),
    { minItems: 1, maxItems: limits.signsAtOnce },
  ),
})
export const Signed = shape({
  signId: Id,
  ...kindKey,
  country: Country,
  language: Language,
  version: Version,
  isAgree: flag(),
  bodyHash: Digest,
  signedAt: Instant,
})
export const SignedText = shape({
  ...Signed.properties,
  name: LocalName,
  title: Title,
  body: text(limits.bodyLength),
  /** The digest was made anew from the text and is that of the signature. */
  isIntact: flag(),
})
export const SignAnswer = shape({ signInfo: list(Signed) })

const mine = { who: 'cp', may: 'none', team: 'none', beforeSigning: true } as const

export const agreements = service({
  ...shared,
  prefix: '/privacy/agreement/v1',
  calls: {
    query: {
      ...mine,
      method: 'POST',
      path: '/query',
      summary: 'What the person has signed and has to sign, of all kinds or of those that are named',
      body: shape({
        agrInfo: optional(
          Type.Array(shape({ ...kindKey, country: optional(Country) }), { maxItems: limits.signsAtOnce }),
        ),
      }),
      answer: shape({ signInfo: list(shape({ ...standing, isWithdrawable: flag(), signId: nullable(Id) })) }),
    },
    templateInfo: {
      ...mine,
      method: 'GET',
      path: '/templateInfo',
      summary: 'The text in force, in the language asked for or the nearest there is',
      query: shape({ ...kindKey, country: optional(Country), language: optional(text(20)) }),
      answer: shape({
        ...kindKey,
        name: LocalName,
        country: Country,
        language: Language,
        languages: list(Language),
        version: Version,
        title: Title,
        body: text(limits.bodyLength),
        bodyHash: Digest,
        effectiveAt: Instant,
        graceDays: integer(0, limits.graceDays),
        requireResign: flag(),
      }),
    },
    sign: {
      ...mine,
      method: 'POST',
      path: '/sign',
      summary: 'Agrees to the texts that were read, or withdraws; all of them or none',
      body: SignBody,
      answer: SignAnswer,
    },
    signedText: {
      ...mine,
      method: 'GET',
      path: '/signedText',
      summary: 'The exact text that the person agreed to, years later too, with its digest',
      query: shape({ signId: optional(Id), agrType: optional(AgrType), branchId: optional(BranchId) }),
      answer: SignedText,
    },
    listSigned: {
      ...mine,
      method: 'GET',
      path: '/signed',
      summary: 'Every signature and withdrawal of the person, the newest first',
      query: shape({ ...PageQuery }),
      answer: pageOf(shape({ ...Signed.properties, name: LocalName })),
    },
  },
})

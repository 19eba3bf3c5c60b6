import { service } from '../../../../kernel/contract.ts'
import { flag, Instant, integer, list, nullable, optional, pattern, shape, text } from '../../../../kernel/shape.ts'

export const policyLimits = { titleLength: 200, textLength: 4000, versions: 200 } as const

export const PolicyId = pattern('^[0-9]{1,2}\\.[0-9]{1,2}$', 5, '2.1')
const words = (max: number) => shape({ zh: text(max, 1), en: text(max, 1), ru: text(max, 1) })
export const Clause = words(policyLimits.titleLength)
export const Policy = shape({
  policyId: text(20, 1),
  version: integer(1, policyLimits.versions),
  titles: Clause,
  texts: words(policyLimits.textLength),
  isRetired: flag(),
  /** Null for the first version, which came with the program. */
  publishedAt: nullable(Instant),
  publishedBy: nullable(text(64)),
})
const place = '/manage/app/uad/review/task/policies'

/** What a rejection may name: staff write it, in three languages and in versions. */
export const reviewPolicies = service({
  name: 'distribute/review',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['review.read', 'review.senior'],
  errors: {
    policyChanged: [202040012, 409, 'Somebody published version {version} of {policyId} meanwhile; look at it first.'],
    policyFull: [202040013, 422, 'A rule has at most {limit} versions.'],
  },
  calls: {
    listPolicies: {
      method: 'GET',
      path: place,
      who: 'manage',
      may: 'review.read',
      summary: 'What a rejection may name, in the version that counts now',
      query: shape({ includeRetired: optional(flag()) }),
      answer: shape({ list: list(Policy) }),
    },
    listPolicyVersions: {
      method: 'GET',
      path: `${place}/versions`,
      who: 'manage',
      may: 'review.read',
      summary: 'Every version of a rule, the newest first',
      query: shape({ policyId: PolicyId }),
      answer: shape({ list: list(Policy) }),
    },
    publishPolicy: {
      method: 'POST',
      path: place,
      who: 'manage',
      may: 'review.senior',
      summary: 'Publishes a rule anew, in all three languages; decisions before keep what they named',
      body: shape({
        policyId: PolicyId,
        titles: Clause,
        texts: words(policyLimits.textLength),
        isRetired: optional(flag()),
        /** The version it follows; 0 for a new rule. */
        after: integer(0, policyLimits.versions),
      }),
      answer: Policy,
    },
  },
})

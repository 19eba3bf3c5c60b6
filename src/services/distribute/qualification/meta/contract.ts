import { service } from '../../../../kernel/contract.ts'
import { flag, Id, integer, list, nullable, oneOf, optional, shape, text } from '../../../../kernel/shape.ts'
import { Code, NameByLang, TagId } from '../contract.ts'

const Country = text(2, 2)
const byTag = { tagId: optional(TagId), appId: optional(Id), country: optional(Country) }

export const DefQuery = shape({ qualificationCode: optional(Code), country: optional(Country) })
export const QualDefs = shape({
  list: list(
    shape({
      qualificationCode: Code,
      nameByLang: NameByLang,
      fileTypes: list(oneOf(['IMAGE', 'PDF'])),
      maxFiles: integer(1, 10),
      needsValidity: flag(),
      countries: list(Country),
    }),
  ),
})

const shared = {
  name: 'distribute/qualification',
  zone: 'current',
  permissions: ['qualification.read'],
  errors: {},
} as const

/** Which papers there are, and what a tag needs where. */
export const qualificationMeta = service({
  ...shared,
  prefix: '/qualification/tag-qual-meta/v1',
  calls: {
    listTagQuals: {
      method: 'GET',
      path: '/tag-qual-dependent',
      who: 'cp',
      may: 'qualification.read',
      summary: 'What tags need where: of each set one paper. All tags that need some, one tag, or those of an app',
      query: shape(byTag),
      answer: shape({
        list: list(
          shape({
            tagId: TagId,
            tagName: NameByLang,
            isMainTag: nullable(flag()),
            requirements: list(shape({ countries: list(Country), sets: list(list(Code)) })),
          }),
        ),
      }),
    },
    listQualDefs: {
      method: 'GET',
      path: '/qual-def',
      who: 'cp',
      may: 'qualification.read',
      summary: 'The papers the store knows: what they are called, what a scan may be, where they count',
      query: DefQuery,
      answer: QualDefs,
    },
  },
})

/** The other way round: where nothing is needed. */
export const notRequired = service({
  ...shared,
  prefix: '/qualification/not-required',
  calls: {
    listNotRequired: {
      method: 'GET',
      path: '/v1/not-required-qual',
      who: 'cp',
      may: 'qualification.read',
      summary: 'Tags that need no qualification, or none in a country; of the store or of an app',
      query: shape(byTag),
      answer: shape({
        list: list(
          shape({
            tagId: TagId,
            tagName: NameByLang,
            /** The only places where the tag does need some; empty when it needs none anywhere. */
            neededIn: list(Country),
            statement: NameByLang,
          }),
        ),
      }),
    },
  },
})

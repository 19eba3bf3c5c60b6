import { service } from '../../../kernel/contract.ts'
import { flag, integer, list, nullable, oneOf, optional, shape, text } from '../../../kernel/shape.ts'
import { contentRatings, countryCodes, divisions, isCountryCode, languageKeys, languageTag } from './rules.ts'

/** For the contracts and rules of other services: the one table of countries and of languages. */
export { countryCodes, isCountryCode, languageKeys, languageTag }

export const LocalName = shape({ zh: text(100), en: text(100), ru: text(100) })
const DivisionId = oneOf(divisions.map(one => one.divisionId))
const CountryId = text(2)
const Asked = shape({
  /** A key of the console, `cn`, `en` or `ru`; what is not supported falls back to English. */
  lang: optional(text(20)),
  /** The embedded app mode, which takes these three only. */
  app: optional(flag()),
})
const head = { version: integer(1, 1_000_000), language: oneOf(['zh', 'en', 'ru']) }

const Division = shape({ divisionId: DivisionId, name: text(100), names: LocalName, countries: list(CountryId) })
const Country = shape({
  countryId: CountryId,
  numericId: nullable(integer(1, 99_999)),
  divisionId: DivisionId,
  name: text(100),
  names: LocalName,
  contentRating: oneOf(contentRatings),
})

const read = { method: 'GET', who: 'anonymous', may: 'none', kind: 'download', rate: 'device', query: Asked } as const

/** Lists that never change between versions: strong ETag, kept for a day by whoever asks, the same for everybody. */
export const regions = service({
  name: 'ground/regions',
  prefix: '/global/global-config-service/v1',
  zone: 'home',
  permissions: [],
  errors: {},
  calls: {
    listDivisions: {
      ...read,
      path: '/division/list',
      summary: 'The eight regions with the codes of their countries',
      answer: shape({ ...head, list: list(Division) }),
    },
    listCountries: {
      ...read,
      path: '/country/list',
      summary: 'Every country and area with its rating system',
      answer: shape({ ...head, list: list(Country) }),
    },
    listCountryRegions: {
      ...read,
      path: '/country-region/list',
      summary: 'Regions with their countries, and the countries of the numeric ids',
      answer: shape({
        ...head,
        list: list(
          shape({
            divisionId: DivisionId,
            name: text(100),
            countries: list(shape({ countryId: CountryId, name: text(100), contentRating: oneOf(contentRatings) })),
          }),
        ),
        numericIds: list(shape({ numericId: integer(1, 99_999), countryId: CountryId })),
      }),
    },
    listLanguages: {
      ...read,
      path: '/language/list',
      summary: 'The languages things can be written in',
      answer: shape({
        ...head,
        list: list(shape({ language: oneOf([...languageKeys]), tag: text(20), name: text(100), names: LocalName })),
      }),
    },
  },
})

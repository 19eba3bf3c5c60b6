import { createHash } from 'node:crypto'
import { type Language, languageOf } from '../../../kernel/language.ts'
import { type Download, implement, type WireAccess } from '../../../server/implement.ts'
import { regions } from './contract.ts'
import {
  countryCodes,
  countryName,
  divisions,
  languageKeys,
  languageName,
  languageTag,
  numericIds,
  ratingOf,
  tableVersion,
} from './rules.ts'

interface Asked {
  query: { lang?: string; app?: boolean }
}

/** One text a list and language, made at the first question. */
const made = new Map<string, { json: string; etag: string }>()

function textOf(name: string, language: Language, make: (language: Language) => object) {
  const key = `${name} ${language}`
  let found = made.get(key)
  if (!found) {
    const json = JSON.stringify({
      ret: { code: 0, msg: 'success' },
      version: tableVersion,
      language,
      ...make(language),
    })
    found = { json, etag: `"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"` }
    made.set(key, found)
  }
  return found
}

function immutable(name: string, make: (language: Language) => object) {
  return async (_ctx: unknown, { query }: Asked, { request }: WireAccess): Promise<Download> => {
    const { json, etag } = textOf(name, languageOf(query.lang, { isApp: query.app ?? false }), make)
    const headers = {
      etag,
      'cache-control': 'public, max-age=86400',
      'content-type': 'application/json; charset=utf-8',
    }
    const has = (request.headers['if-none-match'] ?? '').split(',').map(one => one.trim().replace(/^W\//, ''))
    if (has.includes(etag) || has.includes('*')) return { status: 304, headers, body: null }
    return { headers, body: json }
  }
}

const divisionOf = new Map(divisions.flatMap(one => one.countries.map(code => [code, one.divisionId] as const)))

export default implement(regions, {
  listDivisions: immutable('divisions', language => ({
    list: divisions.map(({ divisionId, name, countries }) => ({
      divisionId,
      name: name[language],
      names: name,
      countries,
    })),
  })),

  listCountries: immutable('countries', language => ({
    list: countryCodes.map(countryId => {
      const names = countryName(countryId)
      return {
        countryId,
        numericId: numericIds.get(countryId) ?? null,
        divisionId: divisionOf.get(countryId),
        name: names[language],
        names,
        contentRating: ratingOf(countryId),
      }
    }),
  })),

  listCountryRegions: immutable('country regions', language => ({
    list: divisions.map(({ divisionId, name, countries }) => ({
      divisionId,
      name: name[language],
      countries: countries.map(countryId => ({
        countryId,
        name: countryName(countryId)[language],
        contentRating: ratingOf(countryId),
      })),
    })),
    numericIds: [...numericIds].map(([countryId, numericId]) => ({ numericId, countryId })),
  })),

  listLanguages: immutable('languages', language => ({
    list: languageKeys.map(key => {
      const names = languageName(key)
      return { language: key, tag: languageTag(key), name: names[language], names }
    }),
  })),
})

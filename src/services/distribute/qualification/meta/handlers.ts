import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { appOf } from '../../apps/public.ts'
import { qualificationDefs } from '../definitions.data.ts'
import { requirementsOf } from '../needs.ts'
import { allTags, isTag, kindIdsOf, nameByLang, tagName, tagsOfApp } from '../tags.ts'
import { notRequired, type QualDefs, qualificationMeta } from './contract.ts'

interface Wish {
  tagId?: number
  appId?: string
  country?: string
}

/** The tags that were asked for; `mainTag` where they are those of an app. */
async function tagsWished(ctx: Context, { tagId, appId }: Wish): Promise<{ tags: number[]; mainTag: number | null }> {
  const app = appId === undefined ? null : await appOf(ctx, appId)
  const all = app ? tagsOfApp(app) : tagId === undefined ? allTags() : isTag(tagId) ? [tagId] : []
  return {
    tags: tagId === undefined ? all : all.filter(tag => tag === tagId),
    mainTag: app?.kindMainTag ?? null,
  }
}

const inCountry = (country: string | undefined) => (country === undefined ? undefined : [country.toUpperCase()])

/** The papers of a code or a country. */
export function definitionsFor(wish: { qualificationCode?: string; country?: string }): Static<typeof QualDefs> {
  const country = wish.country?.toUpperCase()
  const found = qualificationDefs.filter(
    def =>
      (wish.qualificationCode === undefined || def.qualificationCode === wish.qualificationCode) &&
      (country === undefined || def.countries.includes(country)),
  )
  return {
    list: found.map(({ name, fileTypes, countries, ...def }) => ({
      ...def,
      nameByLang: nameByLang(name),
      fileTypes: [...fileTypes],
      countries: [...countries],
    })),
  }
}

export const metadata = implement(qualificationMeta, {
  listTagQuals: async (ctx, { query }) => {
    const { tags, mainTag } = await tagsWished(ctx, query)
    const list = tags.map(tagId => ({
      tagId,
      tagName: tagName(tagId),
      isMainTag: query.appId === undefined ? null : tagId === mainTag,
      requirements: requirementsOf(kindIdsOf(tagId), inCountry(query.country)).map(({ countries, sets }) => ({
        countries: [...countries],
        sets: sets.map(set => [...set]),
      })),
    }))
    return { list: query.appId === undefined ? list.filter(one => one.requirements.length > 0) : list }
  },

  listQualDefs: async (_ctx, { query }) => definitionsFor(query),
})

const statements = {
  anywhere: {
    zh: '此类应用在任何国家或地区都无需提供资质。',
    en: 'Apps of this kind need no qualification anywhere.',
    ru: 'Приложениям этого рода документы не нужны нигде.',
  },
  elsewhere: {
    zh: '除所列国家或地区外，此类应用无需提供资质。',
    en: 'Apps of this kind need no qualification but in the countries listed.',
    ru: 'Приложениям этого рода документы нужны только в перечисленных странах.',
  },
} as const

export const exempt = implement(notRequired, {
  listNotRequired: async (ctx, { query }) => {
    const { tags } = await tagsWished(ctx, query)
    const country = query.country?.toUpperCase()
    const list = tags.map(tagId => {
      const neededIn = [...new Set(requirementsOf(kindIdsOf(tagId)).flatMap(one => one.countries))]
      const statement = nameByLang(neededIn.length === 0 ? statements.anywhere : statements.elsewhere)
      return { tagId, tagName: tagName(tagId), neededIn, statement }
    })
    const isFree = (neededIn: string[]) => (country === undefined ? neededIn.length === 0 : !neededIn.includes(country))
    return { list: list.filter(one => isFree(one.neededIn)) }
  },
})

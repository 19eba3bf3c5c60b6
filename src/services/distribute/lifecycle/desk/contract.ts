import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { Kept, Words } from '../contract.ts'
import { keptKinds, limits, wordLanguages, wordTopics } from '../rules.ts'

const wordFields = {
  language: oneOf(wordLanguages),
  word: text(limits.wordLength, 1),
  topic: oneOf(wordTopics),
  level: oneOf(['BLOCK', 'WARN']),
  isOff: flag(),
  note: text(limits.noteLength),
}
const Word = shape({ wordId: Id, ...wordFields, updatedAt: Instant, revision: Revision })
const Row = shape({
  ...Kept.properties,
  kind: oneOf(keptKinds),
  place: integer(0, 10_000),
  isShown: flag(),
  updatedAt: Instant,
  revision: Revision,
})

/** What staff keep: lists of words by language, and rows for developers. */
export const lifecycleDesk = service({
  name: 'distribute/lifecycle',
  prefix: '/cms/manage',
  zone: 'current',
  permissions: ['store.operate'],
  errors: {
    wordThere: [202130004, 409, '{word} stands in the list already.'],
    notOrdered: [202130005, 422, 'The end must come after the beginning.'],
  },
  calls: {
    listWords: {
      method: 'GET',
      path: '/words',
      who: 'manage',
      may: 'store.operate',
      summary: 'What texts of listings must not say, or should not',
      query: shape({
        language: optional(oneOf(wordLanguages)),
        topic: optional(oneOf(wordTopics)),
        search: optional(text(60)),
        ...PageQuery,
      }),
      answer: pageOf(Word),
    },
    saveWord: {
      method: 'PUT',
      path: '/words',
      who: 'manage',
      may: 'store.operate',
      summary: 'Adds a word, corrects one, or turns it off',
      body: shape({ wordId: optional(Id), ...wordFields, revision: optional(Revision) }),
      answer: Word,
    },
    listRows: {
      method: 'GET',
      path: '/rows',
      who: 'manage',
      may: 'store.operate',
      summary: 'Demos, rules of copyright papers, crowd-test activities or criteria, in their order',
      query: shape({ kind: oneOf(keptKinds), ...PageQuery }),
      answer: pageOf(Row),
    },
    saveRow: {
      method: 'PUT',
      path: '/rows',
      who: 'manage',
      may: 'store.operate',
      summary: 'Adds a row or changes one',
      body: shape({
        rowId: optional(Id),
        kind: oneOf(keptKinds),
        titles: Words(limits.titleLength, 1),
        texts: Words(limits.bodyLength, 1),
        link: optional(text(limits.linkLength)),
        countries: optional(Type.Array(text(2, 2), { maxItems: limits.countries, uniqueItems: true })),
        kindTags: optional(Type.Array(Type.Integer(), { maxItems: 200, uniqueItems: true })),
        startAt: optional(nullable(Instant)),
        endAt: optional(nullable(Instant)),
        place: optional(integer(0, 10_000)),
        isShown: flag(),
        revision: optional(Revision),
      }),
      answer: Row,
    },
    deleteRow: {
      method: 'DELETE',
      path: '/rows',
      who: 'manage',
      may: 'store.operate',
      summary: 'Deletes a row',
      query: shape({ rowId: Id }),
    },
  },
})

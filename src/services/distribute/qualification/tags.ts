import type { LocalText } from '../../../kernel/language.ts'
import { type KindRow, kindTree } from '../apps/public.ts'

const kinds = new Map<number, KindRow>(kindTree().map(kind => [kind.id, kind]))
const tags = [...kinds.values()].filter(kind => kind.parentId !== null && kinds.get(kind.parentId)?.parentId !== null)

/** Tags as apps carry them: what has a category above it. */
export function allTags(): number[] {
  return tags.map(tag => tag.id)
}

export function isTag(tagId: number): boolean {
  return kinds.has(tagId)
}

/** A tag with its category and its root. */
export function kindIdsOf(tagId: number): number[] {
  const ids: number[] = []
  for (let kind = kinds.get(tagId); kind; kind = kind.parentId === null ? undefined : kinds.get(kind.parentId)) {
    ids.push(kind.id)
  }
  return ids
}

export function tagName(tagId: number): KindRow['nameByLang'] {
  const words = String(tagId)
  return kinds.get(tagId)?.nameByLang ?? { zhCN: words, enUS: words, ruRU: words }
}

export function nameByLang({ zh, en, ru }: LocalText) {
  return { zhCN: zh, enUS: en, ruRU: ru }
}

/** The tags of an app, its main one first. */
export function tagsOfApp(app: { kindMainTag: number | null; kindSubTags: readonly number[] }): number[] {
  return [...new Set([...(app.kindMainTag === null ? [] : [app.kindMainTag]), ...app.kindSubTags])]
}

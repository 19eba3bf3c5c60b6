import type { Answer, Input } from '../../../kernel/contract.ts'
import { kindTree } from '../apps/public.ts'
import type { store } from './contract.ts'
import { localeOf } from './rules.ts'
import type { Shelf } from './shelf.ts'

type Call = (typeof store.calls)['listKinds']

const langs = new Map<string | undefined, 'zhCN' | 'ruRU'>([
  ['zh', 'zhCN'],
  ['ru', 'ruRU'],
])

/** The categories below one, or all, with how many apps on shelf stand in each. */
export function kindList(shelf: Shelf, asked: Input<Call>['body']): Answer<Call>['list'] {
  const all = kindTree()
  const parents = new Map(all.map(kind => [kind.id, kind.parentId]))
  const apps = new Map<number, number>()
  for (const { versions } of shelf.apps()) {
    for (let id = versions[0]?.category ?? null; id !== null; id = parents.get(id) ?? null) {
      apps.set(id, (apps.get(id) ?? 0) + 1)
    }
  }
  const lang = langs.get(localeOf(asked.lang ?? '').split('-')[0]) ?? 'enUS'
  return all
    .filter(kind => asked.parentId === undefined || kind.parentId === asked.parentId)
    .map(kind => ({
      ...kind,
      name: kind.nameByLang[lang],
      apps: apps.get(kind.id) ?? 0,
    }))
}

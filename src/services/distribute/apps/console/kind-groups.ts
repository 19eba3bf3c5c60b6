import { type KindView, kindName } from './app-words.ts'

/** Tags below their categories, of games or of the rest, as a select or multiselect takes them. */
export function kindGroups(kinds: readonly KindView[], isGame: boolean) {
  const roots = new Set(kinds.filter(kind => kind.parentId === null).map(kind => kind.id))
  return kinds
    .filter(kind => kind.parentId !== null && roots.has(kind.parentId) && kind.game === isGame)
    .map(category => ({
      label: kindName(category),
      options: kinds
        .filter(kind => kind.parentId === category.id)
        .map(kind => ({ value: String(kind.id), label: kindName(kind) })),
    }))
}

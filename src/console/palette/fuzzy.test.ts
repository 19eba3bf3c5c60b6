import { describe, expect, it } from 'vitest'
import { fuzzyFind, fuzzyScore } from './fuzzy.ts'

describe('what is typed', () => {
  const titles = ['Projects', 'Apps', 'Members', 'Roles', 'API reference', 'Приложения', '我的应用', 'Écoles']
  it.each([
    ['proj', 'Projects'],
    ['MEM', 'Members'],
    ['aref', 'API reference'],
    ['прил', 'Приложения'],
    ['应用', '我的应用'],
    ['ecole', 'Écoles'],
    ['ａｐｐｓ', 'Apps'],
  ])('%s finds %s first', (typed, title) => expect(fuzzyFind(typed, titles, one => [one])[0]).toBe(title))

  it.each(['xyz', 'sppa', '用应'])('%s finds nothing where its letters come in another order', typed =>
    expect(fuzzyFind(typed, titles, one => [one])).toEqual([]),
  )

  it('counts more where it stands together and at the start of words', () => {
    expect(fuzzyScore('app', 'Apps')).toBeGreaterThan(fuzzyScore('app', 'A happy map'))
    expect(fuzzyScore('pr', 'Price')).toBeGreaterThan(fuzzyScore('pr', 'A spring'))
    expect(fuzzyScore('tm', 'Team members')).toBeGreaterThan(fuzzyScore('tm', 'Atom'))
  })

  it('finds everything in its order while nothing is typed', () => {
    expect(fuzzyFind(' ', titles, one => [one])).toEqual(titles)
  })

  it('looks at every text of a thing', () => {
    const pages = [{ id: 1, names: ['Команда', 'Team'] }]
    expect(fuzzyFind('team', pages, one => one.names)).toHaveLength(1)
  })
})

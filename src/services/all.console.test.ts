import { describe, expect, it } from 'vitest'
import { catalogue } from './ground/menu/catalogue.data.ts'

/** What the catalogue has to agree with; the pages themselves are the browser's and not of this type check. */
interface Page {
  path: string
  title: { zh: string; en: string; ru: string }
  group: string
  face: string
  menu?: { order: number }
  may?: string
}

const { allPages } = (await import(new URL('./all.console.ts', import.meta.url).href)) as { allPages: Page[] }
const inMenu = allPages.filter(page => page.menu && page.face === 'developer')

describe('the catalogue of services', () => {
  it('has one entry for every page of the developers’ side menu, and no other', () => {
    expect(catalogue.map(one => one.path).toSorted()).toEqual(inMenu.map(page => page.path).toSorted())
    expect(new Set(catalogue.map(one => one.serviceId)).size).toBe(catalogue.length)
  })

  it.each(inMenu)('says of $path what the page says of itself', page => {
    const entry = catalogue.find(one => one.path === page.path)
    expect({
      title: entry?.title,
      category: entry?.category,
      may: entry?.may,
      order: entry?.order,
    }).toEqual({
      title: page.title,
      category: page.group,
      may: page.may ?? null,
      order: page.menu?.order,
    })
  })
})

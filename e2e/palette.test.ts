import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { announcements } from '../src/services/ground/menu/announcements/contract.ts'
import { menu } from '../src/services/ground/menu/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, until } from './loggia.ts'

describe.skipIf(!hasBrowser)(
  hasBrowser ? 'by keyboard alone' : 'by keyboard alone (skipped: apt-get install chromium)',
  () => {
    let loggia: Loggia
    let look: Look
    beforeAll(async () => {
      loggia = await Loggia.start()
      const owner = await loggia.signIn('administrator')
      await owner.ok(projects, 'createProject', { body: { name: 'Lighthouse' } })
      for (const serviceId of ['members', 'apps', 'team']) await owner.ok(menu, 'addFavorite', { body: { serviceId } })
      look = await startLook({ origin: loggia.url })
      await look.signInAs(...loggia.accountOf('administrator'))
      await look.open('/home/developer')
    })
    afterAll(async () => {
      await look?.close()
      await loggia?.close()
    })

    const field = () => look.page.getByRole('combobox', { name: 'Search pages, projects and apps' })
    const chosen = () => look.page.locator('.lg-palette [role=option][aria-selected=true]')

    it('the palette opens with the favourites first, and the field says which entry is chosen', async () => {
      await look.page.keyboard.press('Control+k')
      await field().waitFor()
      await look.page.getByRole('option', { name: /^Members/ }).waitFor()
      expect((await chosen().textContent()) ?? '').toContain('Members')
      await look.page.keyboard.press('ArrowDown')
      expect((await chosen().textContent()) ?? '').toContain('Apps')
      expect(await field().getAttribute('aria-activedescendant')).toBe(await chosen().getAttribute('id'))
      await look.page.keyboard.press('ArrowUp')
      await look.page.keyboard.press('ArrowUp')
      const last = look.page.locator('.lg-palette [role=option]').last()
      expect(await chosen().getAttribute('id')).toBe(await last.getAttribute('id'))
      await look.checkAccess()
    })

    it('a page is found by part of its name in any language and opened', async () => {
      await look.page.keyboard.type('роли')
      await until('the page', async () => ((await chosen().textContent()) ?? '').includes('Roles'))
      await look.page.keyboard.press('Enter')
      await look.page.locator('#page h1', { hasText: 'Roles' }).waitFor()
      expect(await field().count()).toBe(0)
    })

    it('a project is found on the server and opened', async () => {
      await look.page.keyboard.press('Control+k')
      await look.page.keyboard.type('lightho')
      await look.page.getByRole('option', { name: /Lighthouse/ }).waitFor()
      await look.page.keyboard.press('Enter')
      await look.page.locator('#page h1', { hasText: 'Lighthouse' }).waitFor()
    })

    it('says when nothing is found, and closes with Escape', async () => {
      await look.page.keyboard.press('Control+k')
      await look.page.keyboard.type('qqqqqq')
      await look.page.getByText('Nothing found. Try other words.').waitFor()
      await look.page.keyboard.press('Escape')
      await field().waitFor({ state: 'detached' })
      await look.checkClean()
    })

    it('a favourite is moved with the keys, and the side menu follows', async () => {
      await look.open('/services')
      const handle = look.page
        .getByRole('list', { name: 'Favourites' })
        .getByRole('button', { name: /^Drag handle/ })
        .first()
      await handle.focus()
      for (const key of ['Enter', 'ArrowDown', 'ArrowDown', 'Enter']) {
        await look.page.keyboard.press(key)
        await look.page.waitForTimeout(100)
      }
      const owner = await loggia.signIn('administrator')
      const order = async () => (await owner.ok(menu, 'listFavorites')).list.map(one => one.serviceId).join(' ')
      await until('the order', async () => (await order()) === 'apps team members')
      await until('the side menu', async () => {
        const names = await look.page.locator('nav li a').allInnerTexts()
        return names.indexOf('Apps') < names.indexOf('Team') && names.indexOf('Team') < names.indexOf('Members')
      })
      await look.checkClean()
    })

    it('a banner is put away for good', async () => {
      const writer = await loggia.signIn('administrator')
      const words = (en: string) => ({ zh: `${en}（中文）`, en, ru: `${en} (по-русски)` })
      const { announcementId } = await writer.ok(announcements, 'writeAnnouncement', {
        body: {
          kind: 'news',
          title: words('Tonight'),
          text: words('A short night.'),
          isBanner: true,
          zones: [],
          startAt: null,
          endAt: null,
        },
      })
      const action = { params: { announcementId }, body: { action: 'publish' as const, revision: 1 } }
      await writer.ok(announcements, 'actOnAnnouncement', action)
      await look.open('/team')
      const away = look.page.getByRole('button', { name: 'Do not show Tonight again' })
      await away.press('Enter')
      await away.waitFor({ state: 'detached' })
      await look.open('/team')
      expect(await away.count()).toBe(0)
      await look.checkClean()
    })

    it('a call of the reference is tried with the person’s session, a write after a question', async () => {
      const place = (service: string, call: string) => `/api-reference?${new URLSearchParams({ service, call })}`
      await look.open(place('ground/menu', 'GET /sfs/favorites'))
      await look.page.getByRole('tab', { name: 'Try it' }).press('Enter')
      await look.page.locator('[data-action=sendCall]').press('Enter')
      await look.page.getByRole('region', { name: 'Answer' }).getByText('"serviceId": "apps"').first().waitFor()
      await look.open(place('ground/menu', 'POST /sfs/tag-set'))
      await look.page.getByRole('tab', { name: 'Try it' }).press('Enter')
      await look.page.locator('textarea').fill('{"name": "Tried", "tags": []}')
      await look.page.locator('[data-action=sendCall]').press('Enter')
      await look.page.locator('[data-action=confirmCall]').press('Enter')
      await look.page.getByRole('region', { name: 'Answer' }).getByText('"name": "Tried"').first().waitFor()
      const owner = await loggia.signIn('administrator')
      expect((await owner.ok(menu, 'listTagSets')).list.map(one => one.name)).toEqual(['Tried'])
      await look.checkAccess()
      await look.checkClean()
    })

    it('a language chosen in one tab is spoken by the others, but not where the address says one', async () => {
      const titleAt = async (address: string) => {
        const tab = await look.context.newPage()
        await tab.goto(`${loggia.url}${address}`)
        const title = tab.locator('#page h1')
        await title.waitFor()
        return title
      }
      const others = [await titleAt('/#/apps'), await titleAt('/en/#/apps')] as const
      const bar = look.page.locator('#top-bar')
      await bar.getByRole('button', { name: 'English' }).click()
      await bar.getByRole('menuitemcheckbox', { name: 'Русский' }).click()
      await others[0].filter({ hasText: 'Приложения' }).waitFor()
      expect(await others[1].textContent()).toBe('Apps')
      await look.checkClean()
    })
  },
)

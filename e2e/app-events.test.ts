import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projects } from '../src/services/ground/projects/contract.ts'
import { hasBrowser, startLook } from './browser.ts'
import { openEvents } from './growing.ts'
import { Loggia } from './loggia.ts'

let loggia: Loggia
beforeAll(async () => {
  loggia = await Loggia.start()
})
afterAll(() => loggia.close())

describe.runIf(hasBrowser)('whoever watches the events of a project', () => {
  it('sees them as they come, chooses among them, and keeps what is there when he pauses', async () => {
    const developer = await loggia.signIn('administrator')
    const { projectId } = await developer.ok(projects, 'createProject', { body: { name: 'Watched' } })
    const tell = await openEvents(developer, projectId)
    const look = await startLook({ origin: loggia.url })
    await look.signInAs(...loggia.accountOf('administrator'))
    await look.open(`/app-events?projectId=${projectId}&zone=CN`)
    const { page } = look
    const rows = page.getByRole('table', { name: 'Live' }).getByRole('row')
    await page.getByText('Nobody watches').waitFor()
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByText('Nothing came yet').waitFor()
    await tell([
      { name: 'purchase', unit: 'ada', value: 4.5, props: { screen: 'cart' } },
      { name: 'app_open', unit: 'lin' },
    ])
    await rows.filter({ hasText: 'purchase' }).filter({ hasText: '4.5' }).filter({ hasText: 'cart' }).waitFor()
    await rows.filter({ hasText: 'app_open' }).waitFor()
    for (const [width, isDark] of [
      [1440, false],
      [390, true],
    ] as const) {
      await look.wear({ width, height: 900, isDark })
      await page.getByRole('table', { name: 'Live' }).scrollIntoViewIfNeeded()
      await look.shot(`app-events-live-${width}`)
      await look.checkAccess()
      await look.checkClean()
    }
    await look.wear({ width: 1440, height: 900, isDark: false })
    await page.getByLabel('Filter by name or unit').fill('LIN')
    await rows.filter({ hasText: 'purchase' }).waitFor({ state: 'detached' })
    await page.getByLabel('Filter by name or unit').fill('')
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await tell([{ name: 'after_pause', unit: 'ada' }])
    await page.waitForTimeout(3_000)
    expect(await rows.filter({ hasText: 'after_pause' }).count()).toBe(0)
    await rows.filter({ hasText: 'purchase' }).waitFor()
    await look.close()
  })
})

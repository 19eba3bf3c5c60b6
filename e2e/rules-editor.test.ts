import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authSettings } from '../src/services/build/app-auth/settings/contract.ts'
import { rules } from '../src/services/build/rules/contract.ts'
import { storage } from '../src/services/build/storage/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { openAppOnDevice } from './app-device.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, type Visitor } from './loggia.ts'

const service = 'agc.cloud.storage' as const
const faulty = `agc.cloud.storage[
match: /{bucket}/{path=**} {
allow read: if request.auth != null && nobody.knows;
allow write;
}
]
`
const ownFiles = `agc.cloud.storage[
  match: /{bucket}/users/{uid}/{path=**} {
    allow read, write: if request.auth != null && request.auth.uid == uid;
  }
]
`

let loggia: Loggia
let look: Look
let developer: Visitor
let projectId: string
let bucket: string
/** A request of the app's user for a file; its status. */
let ask: (method: 'GET' | 'PUT', path: string) => Promise<number>
let uid: string

beforeAll(async () => {
  if (!hasBrowser) return
  loggia = await Loggia.start()
  developer = await loggia.signIn('administrator')
  ;({ projectId } = await developer.ok(projects, 'createProject', { body: { name: 'Ruled' } }))
  await developer.ok(authSettings, 'createMethod', { body: { projectId, provider: 0, enabled: true } })
  ;({ bucketId: bucket } = await developer.ok(storage, 'initData', { body: { projectId, bucketName: 'ruled-files' } }))
  const device = await openAppOnDevice(developer, projectId, 'Ruled')
  const user = await device.send('/user-signin-anonymous', { provider: 0, token: 'aaid', useJwt: 1 })
  uid = String(user['uid'])
  const { token } = user['accessToken'] as { token: string }
  ask = async (method, path) => {
    const reply = await fetch(`${loggia.url}/v0/${bucket}/${encodeURIComponent(path)}`, {
      method,
      headers: {
        ...{ authorization: `Bearer ${device.clientToken}`, access_token: token, productid: projectId },
        'content-type': 'text/plain',
      },
      ...(method === 'PUT' && { body: 'A note' }),
    })
    await reply.arrayBuffer()
    return reply.status
  }
  look = await startLook({ origin: loggia.url, language: 'en', width: 1440, height: 900 })
  await look.signInAs(...loggia.accountOf('administrator'))
})
afterAll(async () => {
  await look?.close()
  await loggia?.close()
})

const open = (tab: string) => look.open(`/projects/${projectId}/rules/storage?tab=${tab}`)
const button = (action: string) => look.page.locator(`[data-action=${action}]`).filter({ visible: true })
const source = () => look.page.getByRole('textbox', { name: 'Rules', exact: true })
const lines = async () => (await source().locator('.cm-line').allTextContents()).join('\n')
const diagnostics = () => look.page.getByRole('region', { name: 'Diagnostics' }).getByRole('listitem')
const panel = () => look.page.getByRole('tabpanel').filter({ visible: true })
/** As pasted: what is typed key by key gets its closing brackets. */
async function write(field: ReturnType<typeof source>, text: string) {
  await field.click()
  for (const key of ['ControlOrMeta+a', 'Delete']) await look.page.keyboard.press(key)
  await look.page.keyboard.insertText(text)
}
const inForce = async () => (await developer.ok(rules, 'getRules', { query: { projectId, service } })).source

describe.runIf(hasBrowser)('the editor of rules', () => {
  it('shows what is wrong where it stands, leads there, mends a hint and writes the rest well', async () => {
    const { page } = look
    await open('editor')
    await write(source(), faulty)
    await diagnostics().filter({ hasText: 'E047' }).waitFor()
    await expect.poll(() => button('publishRules').isDisabled()).toBe(true)
    const gutter = page.locator('.cm-gutter-lint .cm-lint-marker-error')
    expect(await gutter.count()).toBe(1)
    await gutter.hover()
    await page.locator('.cm-tooltip-lint').getByText('nobody').waitFor()
    await look.shot('rules-gutter')
    await diagnostics().filter({ hasText: 'E047' }).getByRole('button').click()
    await page.keyboard.press('Shift+End')
    await page.keyboard.insertText('request.auth.uid != "";')
    await diagnostics().filter({ hasText: 'E047' }).waitFor({ state: 'detached' })
    await page.locator('.cm-lintRange-warning').first().hover()
    await page.locator('.cm-tooltip-lint').getByRole('button', { name: 'Only for signed-in users' }).click()
    await diagnostics().first().waitFor({ state: 'detached' })
    await button('formatRules').click()
    await expect.poll(lines).toContain('\n    allow write: if request.auth != null;\n')
    await button('saveDraft').click()
    await button('dropDraft').waitFor()
    await open('editor')
    expect(await lines()).toContain('request.auth.uid != ""')
    await button('dropDraft').click()
    await expect.poll(lines).toBe(await inForce())
    await look.checkAccess()
    await look.checkClean()
  })

  it('takes rules of Firebase as they are, and rewrites them', async () => {
    await open('editor')
    await write(
      source(),
      `rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /users/{uid}/{allPaths=**} {
      allow read, write: if request.auth.uid == uid;
    }
  }
}
`,
    )
    await button('rewriteRules').click()
    await expect.poll(lines).toContain('agc.cloud.storage[')
    await button('rewriteRules').waitFor({ state: 'detached' })
    await expect.poll(() => button('publishRules').isEnabled()).toBe(true)
    await look.checkClean()
  })
})

describe.runIf(hasBrowser)('the simulator', () => {
  it('tells who is allowed by which line, and what each part of a condition came to', async () => {
    const { page } = look
    await open('editor')
    await write(source(), ownFiles)
    const user = page.getByRole('textbox', { name: 'User id' })
    await user.fill('u2')
    await button('simulateRules').click()
    await panel().getByText('Denied', { exact: true }).waitFor()
    const trace = panel().locator('.rules-trace')
    await trace.getByText('request.auth.uid == uid', { exact: true }).waitFor()
    await look.shot('rules-denied')
    await source().locator('.cm-mark-bad').waitFor()
    await user.fill('u1')
    await button('simulateRules').click()
    await panel().getByText('Line 3 grants it.').waitFor()
    await source().locator('.cm-mark-good').waitFor()
    await page.getByRole('checkbox', { name: 'By a signed-in user' }).uncheck()
    await button('simulateRules').click()
    await panel().getByText('Denied', { exact: true }).waitFor()
    await look.shot('rules-nobody')
    await write(source(), `${ownFiles} `)
    await panel().getByText('The rules changed since').waitFor()
    await look.checkAccess()
    await look.checkClean()
  })

  it('takes the file that is really there', async () => {
    const { page } = look
    expect(await ask('PUT', 'real/note.txt')).toBe(200)
    await open('editor')
    await write(
      source(),
      ownFiles
        .replace('match: /{bucket}/users/{uid}/{path=**}', 'match: /{bucket}/{path=**}')
        .replace('request.auth.uid == uid', 'resource.size == 6'),
    )
    await page.getByRole('textbox', { name: 'Path', exact: true }).fill(`/${bucket}/real/note.txt`)
    await page.getByRole('checkbox', { name: 'Take what is really there' }).check()
    await button('simulateRules').click()
    await panel().getByText('Line 3 grants it.').waitFor()
    const token = page.getByRole('textbox', { name: /^Claims/ })
    await write(token, '{ no json')
    await button('simulateRules').click()
    await page.getByText('This is not JSON.').waitFor()
    await look.checkClean()
  })
})

describe.runIf(hasBrowser)('rules', () => {
  it('are published after a look at who would be denied, and a denied request is found, explained and decided again', async () => {
    const { page } = look
    for (const path of ['notes/a.txt', `users/${uid}/a.txt`]) expect(await ask('PUT', path)).toBe(200)
    await open('editor')
    await write(source(), ownFiles)
    await button('publishRules').click()
    const dialog = page.getByRole('dialog')
    // Of what is allowed the first of each method in a minute is kept for this: of both files, where one begins in between.
    await dialog.getByText(/allowed would be denied/).waitFor()
    await dialog
      .getByText(/create .*(?:real\/note|notes\/a).txt/)
      .first()
      .waitFor()
    await look.shot('rules-publish')
    await dialog.getByRole('textbox').fill('Everybody has a folder')
    await dialog.getByRole('button', { name: 'Publish anyway' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Version 2 in force').waitFor()
    expect(await inForce()).toBe(ownFiles)
    expect(await ask('GET', `users/${uid}/a.txt`)).toBe(200)
    expect(await ask('GET', 'notes/a.txt')).toBe(403)
    await page.getByRole('tab', { name: 'Requests' }).click()
    const row = page.getByRole('row', { name: /get .*notes\/a.txt/ })
    await row.getByRole('button', { name: /notes/ }).click()
    await dialog.getByText('No match has this path.').waitFor()
    await look.shot('rules-decision')
    await button('replayDecision').click()
    await dialog.getByRole('region', { name: 'By the rules in force now' }).getByText('Denied').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await look.checkAccess()
    await look.checkClean()
  })

  it('go back to an older version, are counted, and are turned off', async () => {
    const { page } = look
    await open('versions')
    await page.getByText('Everybody has a folder').waitFor()
    const older = page.getByRole('listitem').filter({ hasText: 'Version 1' }).first()
    await older.getByRole('button', { name: 'Compare' }).click()
    await page.locator('.rules-diff ins').first().waitFor()
    await look.shot('rules-versions')
    await older.locator('[data-action=deleteVersion]').click()
    await page.getByRole('dialog').getByText('are lost').waitFor()
    await page.keyboard.press('Escape')
    await older.getByRole('button', { name: 'Take into the editor' }).click()
    await button('publishRules').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 request that was denied would be allowed').waitFor()
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Version 3 in force').waitFor()
    expect(await ask('GET', 'notes/a.txt')).toBe(200)
    await page.getByRole('tab', { name: 'Monitor' }).click()
    await page.getByText('notes/a.txt').waitFor()
    await look.shot('rules-monitor')
    await page.getByRole('tab', { name: 'Versions' }).click()
    await button('turnRulesOff').click()
    await dialog.getByRole('textbox').fill(service)
    await dialog.getByRole('button', { name: 'Turn rules off' }).click()
    await page.getByText('No rules in force').waitFor()
    await page.getByText('Version 3 is in force').waitFor({ state: 'detached' })
    await look.shot('rules-off')
    await look.checkAccess()
    await look.checkClean()
  })
})

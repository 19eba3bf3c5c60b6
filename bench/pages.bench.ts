import { closeBrowser, hasBrowser, startLook } from '../e2e/browser.ts'
import { Loggia } from '../e2e/loggia.ts'
import { draftRelease } from '../e2e/releases.ts'

/** What a browser fetches, as the server sends it: the first page anybody sees, the embedded mode, a first table, each page after it. */
const kilobyte = 1000
const limits = { signIn: 300, table: 550, further: 120, embedded: 320 }

type Look = Awaited<ReturnType<typeof startLook>>

/** Encoded bytes with headers since it was last asked, from Chromium's own count. */
async function countBytes({ context, page }: Look): Promise<() => number> {
  const network = await context.newCDPSession(page)
  let bytes = 0
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await network.send('Network.enable')
  return () => {
    const taken = bytes
    bytes = 0
    return taken
  }
}

function printBytes(what: string, bytes: number, limit: number): void {
  const verdict = bytes <= limit * kilobyte ? 'within' : 'OVER'
  process.stdout.write(`${what}: ${(bytes / kilobyte).toFixed(0)} kB (${verdict} ${limit})\n`)
}

async function measure(loggia: Loggia): Promise<void> {
  const { appId } = await draftRelease(await loggia.signIn('administrator'), 'Beacon', 'NO_PACKAGE')
  const { loginName, password } = loggia.signIns()['administrator'] ?? { loginName: '', password: '' }

  const visitor = await startLook({ origin: loggia.url })
  const takeVisited = await countBytes(visitor)
  await visitor.page.goto(`${loggia.url}/#/sign-in`)
  await visitor.page.locator('#account').waitFor()
  await visitor.page.waitForLoadState('networkidle')
  printBytes('sign-in, cold', takeVisited(), limits.signIn)
  await visitor.signInAs(loginName, password)
  const cookies = await visitor.context.cookies()
  await visitor.close()

  const held = await startLook({ origin: loggia.url, width: 390, height: 844 })
  await held.context.addCookies(cookies)
  const takeHeld = await countBytes(held)
  await held.page.goto(`${loggia.url}/?appId=${appId}#/app/overview`)
  await held.page.getByText('Beacon').first().waitFor()
  await held.page.waitForLoadState('networkidle')
  printBytes('the embedded mode, cold with a session', takeHeld(), limits.embedded)
  await held.close()

  const look = await startLook({ origin: loggia.url })
  await look.context.addCookies(cookies)
  const take = await countBytes(look)
  await look.page.goto(`${loggia.url}/#/apps`)
  await look.page.getByText('Beacon').first().waitFor()
  await look.page.waitForLoadState('networkidle')
  printBytes('a table of apps, cold with a session', take(), limits.table)
  const app = `/apps/${appId}`
  const further = [
    '/home/developer',
    '/projects',
    '/apps/new',
    app,
    `${app}/packages`,
    `${app}/version`,
    `${app}/listing`,
  ]
  for (const place of [...further, `${app}/submission`, `${app}/reach`, '/team', '/team/members', '/team/roles']) {
    await look.open(place)
    printBytes(`then ${place.replace(appId, ':appId')}`, take(), limits.further)
  }
  await look.close()
}

if (hasBrowser) {
  const loggia = await Loggia.start()
  await measure(loggia).finally(() => Promise.all([closeBrowser(), loggia.close()]))
} else {
  process.stdout.write('no Chromium to measure with: apt-get install chromium\n')
}

import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseManifest } from '../../src/services/distribute/packages/apk/manifest.ts'
import { openArchive } from '../../src/services/distribute/packages/apk/zip.ts'
import { exitCodes, Stop, usage } from './outcome.ts'
import { PublishingClient, refusalOf } from './publishing-client.ts'
import { readWish, type Wish } from './wish.ts'

/** What is known of a release so far; the last of it is what `--json` prints. */
interface Known {
  appId?: string
  packageName?: string
  pkgId?: string
  versionId?: string
  versionCode?: string
  releaseState?: number
}

const processing = 204144660
const slowestMs = 30_000
const manifestLimitBytes = 16 << 20

/** Releases a file and returns the exit code. Progress goes to standard error, the result to standard output. */
export async function runRelease(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const known: Known = {}
  const isJson = args.includes('--json')
  try {
    const message = await release(readWish(args, env), known)
    process.stdout.write(isJson ? `${JSON.stringify({ result: 'done', message, ...known })}\n` : `${message}\n`)
    return exitCodes.done
  } catch (error) {
    const { ending, message, list } = stopOf(error)
    if (isJson) process.stdout.write(`${JSON.stringify({ result: ending, message, list, ...known })}\n`)
    process.stderr.write(`loggia: ${message}\n${list.map(one => `  - ${one}\n`).join('')}`)
    if (ending === 'usage') process.stderr.write(`\n${usage}`)
    return exitCodes[ending]
  }
}

function stopOf(error: unknown): Stop {
  return error instanceof Stop ? error : new Stop('unreachable', (error as Error).message)
}

async function release(wish: Wish, known: Known): Promise<string> {
  const client = new PublishingClient(wish)
  const waits = patience(wish.timeoutMs)
  await client.signIn()
  Object.assign(known, await appOf(client, wish))
  const ofApp = `appId=${known.appId}`
  say(`app ${known.appId}`)
  const suffix = path.extname(wish.file).slice(1) || 'apk'
  const address = await client.must('GET', `/upload-url?${ofApp}&suffix=${suffix}`)
  const fileDestUrl = await client.upload(String(address['uploadUrl']), String(address['authCode']), uploadProgress())
  if (wish.notes !== undefined)
    await client.must('PUT', `/app-language-info?${ofApp}`, await notesOf(client, wish, ofApp))
  const files = [{ fileName: path.basename(wish.file), fileDestUrl }]
  const { pkgVersion } = await client.must('PUT', `/app-file-info?${ofApp}`, { fileType: 5, files })
  known.pkgId = String((pkgVersion as string[])[0])
  await untilRead(client, known, ofApp, waits)
  if (!wish.isSubmitted) return `package ${known.pkgId} is in the version; nothing was submitted`
  await submit(client, wish, known, ofApp, waits)
  say('submitted for review')
  return wish.isWaiting ? untilDecided(client, known, ofApp, waits) : 'submitted for review'
}

async function appOf(client: PublishingClient, wish: Wish): Promise<Known> {
  if (wish.app !== undefined) return { appId: wish.app }
  const packageName = await packageNameOf(wish.file)
  const { appids } = await client.must('GET', `/appid-list?packageName=${encodeURIComponent(packageName)}`)
  const [found] = appids as { value: string }[]
  if (!found) throw new Stop('usage', `no app of this client has the package name ${packageName}; name one with --app`)
  return { appId: found.value, packageName }
}

async function packageNameOf(file: string): Promise<string> {
  const unreadable = () => new Stop('usage', `${file} is no APK that can be read; name its app with --app`)
  const archive = await openArchive(file).catch(() => Promise.reject(unreadable()))
  try {
    const entry = archive.byName.get('AndroidManifest.xml')
    if (!entry) throw unreadable()
    const bytes = await archive.readEntry(entry, manifestLimitBytes)
    return parseManifest(bytes, null).package || Promise.reject(unreadable())
  } catch {
    throw unreadable()
  } finally {
    await archive.close()
  }
}

async function notesOf(client: PublishingClient, wish: Wish, ofApp: string) {
  const { appInfo } = await client.must('GET', `/app-info?${ofApp}`)
  return { lang: wish.lang ?? (appInfo as { defaultLang: string }).defaultLang, newFeatures: wish.notes }
}

async function untilRead(client: PublishingClient, known: Known, ofApp: string, waits: Waits): Promise<void> {
  for (;;) {
    const { pkgStateList } = await client.must('GET', `/package/compile/status?${ofApp}&pkgIds=${known.pkgId}`)
    const [one] = pkgStateList as { successStatus: number; failReason: string[]; versionCode?: string }[]
    if (one?.versionCode) known.versionCode = one.versionCode
    if (one?.successStatus === 2) throw new Stop('notReady', 'the package was refused', one.failReason)
    if (one?.successStatus === 0) break
    await waits.next('the package is still being processed')
  }
  say(`package ${known.pkgId} is processed: version code ${known.versionCode}`)
}

async function submit(client: PublishingClient, wish: Wish, known: Known, ofApp: string, waits: Waits) {
  const query = new URLSearchParams({
    releaseType: wish.phased === undefined ? '1' : '3',
    ...(wish.remark === undefined ? {} : { remark: wish.remark }),
    ...(wish.time !== undefined && wish.phased === undefined ? { releaseTime: wish.time } : {}),
  })
  const phased = wish.phased === undefined ? undefined : phasedFields(wish.phased, wish.time)
  for (;;) {
    const told = await client.ask('POST', `/app-submit?${ofApp}&${query}`, phased)
    if (told.ret?.code === 0) {
      known.versionId = String(told['versionId'])
      return
    }
    if (told.ret?.code !== processing) throw refusalOf(told)
    await waits.next('the package is still being processed')
  }
}

function phasedFields(percent: number, time: string | undefined) {
  return {
    phasedReleasePercent: percent.toFixed(2),
    phasedReleaseDescription: `${percent} % of devices first`,
    ...(time === undefined ? {} : { phasedReleaseStartTime: time }),
  }
}

interface AppInfo {
  appInfo: { releaseState: number; releaseTime?: number | null }
  auditInfo: { auditOpinion: string }
}

async function untilDecided(client: PublishingClient, known: Known, ofApp: string, waits: Waits): Promise<string> {
  let before: number | undefined
  for (;;) {
    const { appInfo, auditInfo } = (await client.must('GET', `/app-info?${ofApp}`)) as unknown as AppInfo
    const { releaseState } = appInfo
    known.releaseState = releaseState
    if (releaseState === 0) return 'on shelf'
    if (releaseState === 3) return 'accepted; it goes on shelf at its time'
    if (releaseState === 1 || releaseState === 8)
      throw new Stop('rejected', 'the store rejected the version', [auditInfo.auditOpinion])
    if (releaseState === 11) throw new Stop('rejected', 'somebody took the version back')
    if (releaseState === 13) throw new Stop('notReady', 'the automatic check stopped the version; its page says why')
    if (releaseState !== before) say(releaseState === 12 ? 'automatic checks run' : 'a reviewer has it')
    before = releaseState
    await waits.next('the store has not decided yet')
  }
}

interface Waits {
  /** Waits a little, each time a little longer; throws when the time is over. */
  next(what: string): Promise<void>
}

function patience(timeoutMs: number): Waits {
  const end = performance.now() + timeoutMs
  let step = 500
  return {
    next: async what => {
      const left = end - performance.now()
      if (left <= 0) throw new Stop('timedOut', `${what}, and the time is over`)
      await pause(Math.min(step, left))
      step = Math.min(step * 1.5, slowestMs)
    },
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** A line that moves on a terminal; in a pipeline one line when it is done. */
function uploadProgress(): (share: number) => void {
  let shown = -1
  return share => {
    const percent = Math.floor(share * 100)
    if (percent === shown) return
    shown = percent
    if (process.stderr.isTTY) process.stderr.write(`\ruploaded ${percent} %${percent === 100 ? '\n' : ''}`)
    else if (percent === 100) say('uploaded')
  }
}

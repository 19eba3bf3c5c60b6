import { execFileSync } from 'node:child_process'
import { inspectApk } from '../src/services/distribute/packages/apk/inspect.ts'
import { median, print } from './measure.ts'

/** Reading and verifying an APK of 18 MB in a running process, against `aapt dump badging` and `apksigner verify`. */
const apk = new URL('../node_modules/apk-uiautomator-10/apks/appium-uiautomator2-server-v10.6.6.apk', import.meta.url)
  .pathname
const rounds = 7

async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const quiet = { stdio: 'ignore' as const }
const ratios: number[] = []
const ours: number[] = []
const theirs: number[] = []
await inspectApk(apk)
for (let round = 0; round < rounds; round++) {
  const mine = await timed(() => inspectApk(apk))
  const tools = await timed(() => {
    execFileSync('aapt', ['dump', 'badging', apk], quiet)
    execFileSync('apksigner', ['verify', apk], quiet)
  })
  ours.push(mine)
  theirs.push(tools)
  ratios.push(mine / tools)
}
print(
  'APK read and verified',
  median(ratios),
  1,
  `Loggia ${median(ours).toFixed(0)} ms; aapt and apksigner ${median(theirs).toFixed(0)} ms`,
)

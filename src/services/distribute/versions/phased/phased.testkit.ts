import { phaseBucket } from '../../../../kernel/bucketing.ts'
import type { Person } from '../../../../testkit/stage.ts'
import { store } from '../../store/contract.ts'
import { current, newApp, type Scene } from '../versions.testkit.ts'

export const dayMs = 86_400_000
let made = 0

/** An app with a package name and version 10 fully on shelf. */
export async function appOnShelf(scene: Scene) {
  const { appId } = await newApp(scene.owner)
  const packageName = `com.example.phased${++made}`
  await scene.stage.sql('CN', 'UPDATE apps SET package_name = $1 WHERE app_id = $2', [packageName, appId])
  const full = await scene.onShelf(appId, 10)
  await scene.stage.settle()
  return { appId, packageName, full }
}

/** Approves a version that comes in phases. */
export async function phasedOnShelf(scene: Scene, appId: string, versionCode: number, plan: object = {}) {
  const { versionId } = await scene.inReview(appId, versionCode, { releasePhase: 3, phased: plan })
  await scene.approve(versionId)
  await scene.stage.settle()
  return current(scene.owner, versionId)
}

/** A device whose bucket is at least `from` and below `below`. */
export function deviceBetween(salt: string, from: number, below: number): string {
  for (let at = 0; ; at++) {
    const bucket = phaseBucket(salt, `device-${at}`)
    if (bucket >= from && bucket < below) return `device-${at}`
  }
}

/** What the store answers a device: the code it is offered, or why none. */
export async function offered(anybody: Person, packageName: string, deviceId: string, versionCode = '1') {
  const { packages } = await anybody.ok(store, 'queryUpdates', {
    body: { deviceId, packages: [{ packageName, versionCode }] },
  })
  const [one] = packages
  return one?.result === 'UPDATE' ? `${one.versionCode}${one.phased ? ' phased' : ''}` : one?.result
}

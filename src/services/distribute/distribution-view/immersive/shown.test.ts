import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person, Stage } from '../../../../testkit/stage.ts'
import { solidPng } from '../../packages/apk/png.testkit.ts'
import { uploadBytes } from '../../packages/packages.testkit.ts'
import { store } from '../../store/contract.ts'
import { fillDraft, newApp, openScene, type Scene, submitted } from '../../versions/versions.testkit.ts'
import { immersive } from './contract.ts'
import { immersiveDesk } from './desk/contract.ts'

let scene: Scene
let stage: Stage
let owner: Person
let reviewer: Person

beforeAll(async () => {
  scene = await openScene()
  stage = scene.stage
  owner = scene.owner
  reviewer = await stage.person({ staff: ['reviewer'] })
})
afterAll(() => stage.close())

const params = { packageName: 'org.example.lantern' }

async function onShelf(): Promise<string> {
  const { appId } = await newApp(owner)
  const { versionId, pkgId } = await fillDraft(stage, owner, appId, 10)
  await stage.sql('CN', 'UPDATE packages SET package_name = $2 WHERE pkg_id = $1', [pkgId, params.packageName])
  await submitted(stage, owner, versionId)
  await scene.approve(versionId)
  await stage.settle()
  return appId
}

const shown = async () => {
  await stage.settle()
  return stage.anybody.ok(store, 'getApp', { params })
}

it('the store shows a picture when it is passed, without what the camera wrote, and no longer when it is taken down', async () => {
  const appId = await onShelf()
  expect((await shown()).hero).toBeNull()
  const objectId = await uploadBytes(stage, owner, solidPng(1080, 1920), 'hero.png', 'app_img')
  await owner.ok(immersive, 'setImmersive', { body: { appId, objectId } })
  await owner.ok(immersive, 'submitImmersive', { body: { appId } })
  expect((await shown()).hero).toBeNull()
  await reviewer.ok(immersiveDesk, 'decideImmersive', { body: { appId, verdict: 'APPROVE' } })
  const { hero } = await shown()
  expect(hero).toMatchObject({ dominantColor: '#c8c8c8', textColor: '#000000' })
  const fileName = String(hero?.pictureUrl.split('/').at(-1))
  const picture = await stage.anybody.call(store, 'downloadMedia', { params: { fileName } })
  expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png'])
  const next = await uploadBytes(stage, owner, solidPng(1080, 1440), 'next.png', 'app_img')
  await owner.ok(immersive, 'setImmersive', { body: { appId, objectId: next } })
  expect((await shown()).hero).toEqual(hero)
  await owner.ok(immersive, 'setImmersive', { body: { appId, objectId: null } })
  expect((await shown()).hero).toBeNull()
})

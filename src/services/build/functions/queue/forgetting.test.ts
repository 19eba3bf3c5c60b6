import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type AppOnDevice, type Device, type DeviceUser, openApp } from '../../app-auth/app-auth.testkit.ts'
import { appUserDesk } from '../../app-auth/user-desk/contract.ts'
import { functionsIde } from '../contract.ts'
import { until } from '../functions.testkit.ts'

let stage: Stage
let app: AppOnDevice
let device: Device
beforeAll(async () => {
  stage = await openStage()
  app = await openApp(stage)
  device = await app.install()
  const files = [
    { path: 'index.js', content: 'exports.handler = async event => event.body', encoding: 'utf8' as const },
  ]
  const body = { projectId: app.projectId, functionName: 'later', files }
  await app.owner.ok(functionsIde, 'createFunctionWithCode', { body })
})
afterAll(() => stage.close())

const callAs = async (user: DeviceUser) => {
  const reply = await stage.app.inject({
    method: 'POST',
    url: '/agc/apigw/wisefunction/functions/space/later-$latest',
    headers: {
      ...{ authorization: `Bearer ${device.clientToken}`, access_token: user.accessToken },
      ...{ 'content-type': 'application/json', 'x-invoke-mode': 'ASYNC' },
    },
    payload: JSON.stringify({ mine: user.uid }),
  })
  expect(reply.statusCode).toBe(202)
}
const kept = async (user: DeviceUser) => {
  const rows = await stage.sql<{ state: string }>('CN', 'SELECT state FROM fn_async WHERE payload LIKE $1', [
    `%${user.uid}%`,
  ])
  return rows.map(row => row.state)
}

it.each([
  ['goes with the user whose data is erased', true, []],
  ['stays where the data stays', false, ['SUCCESS']],
])('what a call said %s', async (_what, eraseData, left) => {
  const [one, other] = [await device.anonymous(), await device.anonymous()]
  await callAs(one)
  await callAs(other)
  await until(
    async () => [...(await kept(one)), ...(await kept(other))],
    states => states.join() === 'SUCCESS,SUCCESS',
  )
  const query = { projectId: app.projectId, uid: one.uid, eraseData }
  await app.owner.ok(appUserDesk, 'deleteUser', { query })
  await stage.settle()
  expect(await kept(one)).toEqual(left)
  expect(await kept(other)).toEqual(['SUCCESS'])
  const attempts = await stage.sql(
    'CN',
    'SELECT 1 FROM fn_async_attempts a WHERE NOT EXISTS (SELECT 1 FROM fn_async c WHERE c.request_id = a.request_id)',
  )
  expect(attempts).toEqual([])
})

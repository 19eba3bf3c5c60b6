import { authHookCalls } from '../src/services/build/app-auth/hooks-desk/contract.ts'
import { userImports } from '../src/services/build/app-auth/imports/contract.ts'
import { authSettings } from '../src/services/build/app-auth/settings/contract.ts'
import { appUserDesk } from '../src/services/build/app-auth/user-desk/contract.ts'
import { debugging } from '../src/services/build/debug/contract.ts'
import { takeToDevice } from './app-device.ts'
import type { Visitor } from './loggia.ts'

const providers = { anonymous: 0, phone: 11, email: 12 } as const

/** Users of an app who signed in, messages that were kept, a hook and a debugging token; the pages that show them. */
export async function openAppUsers(owner: Visitor, projectId: string, appId: string): Promise<string[]> {
  for (const provider of Object.values(providers))
    await owner.ok(authSettings, 'createMethod', { body: { projectId, provider, enabled: true } })
  const names = ['Ada Lane', 'Bo Chen', 'Vera Orlova']
  await owner.ok(userImports, 'importUsers', {
    body: {
      projectId,
      users: names.map((displayName, at) => ({
        displayName,
        email: `${displayName.toLowerCase().replace(' ', '.')}@example.com`,
        emailVerified: true,
        ...(at === 1 ? { phone: '+86-13800138000' } : {}),
        ...(at === 2 ? { disabled: true } : {}),
      })),
    },
  })
  await owner.ok(authSettings, 'testSms', { body: { projectId, phone: '+49-1701234567' } })
  await owner.ok(authHookCalls, 'createHook', {
    body: {
      ...{ projectId, moment: 'BEFORE_SIGN_IN', url: 'https://hooks.example.com/sign-in' },
      ...{ timeoutMs: 3000, onFailure: 'ALLOW', enabled: false },
    },
  })
  await owner.ok(debugging, 'issueDebugToken', { query: { target: 'phone-1' } })
  const uid = await signIn(owner, projectId, appId)
  const zone = 'CN'
  const of = `projectId=${projectId}&zone=${zone}`
  return [
    ...['overview', 'users', 'methods', 'templates', 'sms', 'hooks', 'settings'].map(tab => `/auth?${of}&tab=${tab}`),
    `/auth?${of}&tab=users&q=nobody`,
    `/auth/users/${uid}?${of}`,
    '/debugging',
  ]
}

/** Somebody signs in on a device by a password that the team had set. */
async function signIn(owner: Visitor, projectId: string, appId: string): Promise<string> {
  const password = 'Correct-horse-9'
  const { uid } = await owner.ok(appUserDesk, 'createUser', {
    body: { projectId, displayName: 'Mira Olsen', email: 'mira@example.com', password, claims: { plan: 'pro' } },
  })
  const device = await takeToDevice(owner, projectId, appId, 'com.example.beacon')
  const extraData = JSON.stringify({ password, verifyCode: '' })
  await device.send('/user-signin', { provider: providers.email, token: 'mira@example.com', extraData, useJwt: 1 })
  return uid
}

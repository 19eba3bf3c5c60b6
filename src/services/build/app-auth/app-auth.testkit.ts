import { randomBytes } from 'node:crypto'
import type { Person, Stage } from '../../../testkit/stage.ts'
import { newApp } from '../../distribute/packages/packages.testkit.ts'
import { projectConfigFiles } from '../../ground/projects/config-files/contract.ts'
import { providerNumbers } from './rules.ts'
import { authSettings } from './settings/contract.ts'

/** What an app has of its configuration file, and what a device says with it. */
export interface AppOnDevice {
  owner: Person
  projectId: string
  appId: string
  clientId: string
  clientSecret: string
  /** The whole file. */
  config: Record<string, unknown>
  /** A token of the app; each one is an installation of its own. */
  install(): Promise<Device>
}

export interface DeviceReply {
  status: number
  body: Record<string, never> & { ret: { code: number; msg: string } }
  headers: Record<string, unknown>
}

export interface DeviceUser {
  uid: string
  accessToken: string
  refreshToken: string
}

/** One installation of the app. */
export interface Device {
  clientToken: string
  /** A call of the device wire below `/agc/apigw/oauth2/third/v1`; `user` is an access token. */
  send(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    more?: { user?: string; headers?: Record<string, string>; ip?: string },
  ): Promise<DeviceReply>
  /** The code of the newest mail to an address. */
  codeFor(email: string): Promise<string>
  signUp(email: string, password?: string): Promise<DeviceUser>
  anonymous(): Promise<DeviceUser>
}

const third = '/agc/apigw/oauth2/third/v1'
export const password = 'Correct-horse-9'

export const userOfReply = (reply: DeviceReply): DeviceUser => {
  if (reply.body.ret.code !== 0) throw new Error(`not signed in: ${JSON.stringify(reply.body)}`)
  const body = reply.body as unknown as {
    uid: string
    accessToken: { token: string }
    refreshToken: { token: string }
  }
  return { uid: body.uid, accessToken: body.accessToken.token, refreshToken: body.refreshToken.token }
}

/** Turns ways in on. */
export async function turnOn(owner: Person, projectId: string, providers: readonly number[]): Promise<void> {
  for (const provider of providers)
    await owner.ok(authSettings, 'createMethod', { body: { projectId, provider, enabled: true } })
}

/** A project with an app whose users sign in by e-mail, by phone or without a name. */
export async function openApp(stage: Stage, owner?: Person): Promise<AppOnDevice> {
  const leader = owner ?? (await stage.person())
  const { appId, projectId } = await newApp(leader)
  await stage.settle()
  const { configFileId } = await leader.ok(projectConfigFiles, 'makeConfigFile', {
    body: { projectId, appId, packageName: `com.example.a${randomBytes(4).toString('hex')}` },
  })
  const file = await leader.call(projectConfigFiles, 'downloadConfigFile', { query: { projectId, configFileId } })
  const config = JSON.parse(file.text) as { client: { client_id: string; client_secret: string } }
  await turnOn(leader, projectId, [providerNumbers.email, providerNumbers.phone, providerNumbers.anonymous])
  const { client_id: clientId, client_secret: clientSecret } = config.client
  return {
    ...{ owner: leader, projectId, appId, clientId, clientSecret, config },
    install: async () => {
      const payload = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, useJwt: 1 }
      const reply = await stage.app.inject({ method: 'POST', url: '/agc/apigw/oauth2/v1/token', payload })
      if (reply.json().ret.code !== 0) throw new Error(`no client token: ${reply.body}`)
      return deviceOf(stage, reply.json().access_token, projectId)
    },
  }
}

function deviceOf(stage: Stage, clientToken: string, projectId: string): Device {
  const device: Device = {
    clientToken,
    send: async (method, path, body, { user, headers = {}, ip = '203.0.113.7' } = {}) => {
      const reply = await stage.app.inject({
        method,
        url: `${third}${path}${path.includes('?') ? '&' : '?'}productId=${projectId}`,
        remoteAddress: ip,
        headers: {
          authorization: `Bearer ${clientToken}`,
          access_token: user ?? '',
          productid: projectId,
          'content-type': 'application/json;charset=UTF-8',
          ...headers,
        },
        ...(body === undefined ? {} : { payload: body }),
      })
      return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
    },
    codeFor: async email => {
      await stage.settle()
      const mail = (await stage.mails()).findLast(one => one.to === email)
      return /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? ''
    },
    signUp: async (email, secret = password) => {
      await device.send('POST', '/verify-code', { email, action: 1001, lang: 'en' })
      const verifyCode = await device.codeFor(email)
      const body = { provider: 12, email, password: secret, verifyCode, useJwt: 1 }
      return userOfReply(await device.send('POST', '/user-register', body))
    },
    anonymous: async () =>
      userOfReply(await device.send('POST', '/user-signin-anonymous', { provider: 0, token: 'aaid', useJwt: 1 })),
  }
  return device
}

/** Sign-in by e-mail and password as the public SDK sends it. */
export const byPassword = (email: string, secret = password) => ({
  provider: 12,
  token: email,
  extraData: JSON.stringify({ password: secret, verifyCode: '' }),
  autoCreateUser: -1,
  useJwt: 1,
})

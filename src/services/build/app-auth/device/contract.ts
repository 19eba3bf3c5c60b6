import { service } from '../../../../kernel/contract.ts'
import { AnyJson, Type, text } from '../../../../kernel/shape.ts'
import { errors } from '../contract.ts'
import { refusal } from './rules.ts'

const Text = Type.Optional(Type.Union([text(2000), Type.Null()]))
const Token = Type.Optional(Type.String({ maxLength: 16_384 }))
const Whole = Type.Optional(Type.Union([Type.Integer(), Type.String({ pattern: '^-?\\d{1,9}$' })]))
/** Foreign clients of every age send fields that nobody here knows. */
const sent = (fields: Record<string, ReturnType<typeof Type.Optional>>) =>
  Type.Object(fields, { additionalProperties: true })
const Query = Type.Object({ productId: Text, provider: Text }, { additionalProperties: true })
const open = { who: 'anonymous', may: 'none', kind: 'protocol', transaction: false, bodyLimit: 65_536 } as const
const third = { ...open, query: Query }

/** The device wire of the public SDK: names are its own. */
export const appAuthDevice = service({
  name: 'build/app-auth',
  prefix: '/agc/apigw/oauth2',
  zone: 'current',
  permissions: [],
  errors,
  refusal,
  calls: {
    clientToken: {
      ...open,
      method: 'POST',
      path: '/v1/token',
      summary: 'A token of 48 hours for an app, by the client of its configuration file',
      body: sent({ grant_type: Text, client_id: Text, client_secret: Text, useJwt: Whole }),
    },
    register: {
      ...third,
      method: 'POST',
      path: '/third/v1/user-register',
      summary: 'Makes a user by a code for an e-mail address or a phone number',
      body: sent({ provider: Whole, email: Text, phone: Text, password: Text, verifyCode: Text }),
    },
    signIn: {
      ...third,
      method: 'POST',
      path: '/third/v1/user-signin',
      summary: 'Signs a user in by password, code or provider',
      body: sent({ provider: Whole, token: Token, extraData: Token, autoCreateUser: Whole }),
    },
    signInByFactor: {
      ...third,
      method: 'POST',
      path: '/third/v1/user-signin/factor',
      summary: 'The second step of a sign-in: the ticket of the first one and a code of the second factor',
      body: sent({ ticket: Text, code: Text }),
    },
    signInAnonymously: {
      ...third,
      method: 'POST',
      path: '/third/v1/user-signin-anonymous',
      summary: 'Makes a user without a name',
      body: sent({ token: Token }),
    },
    sendVerifyCode: {
      ...third,
      method: 'POST',
      path: '/third/v1/verify-code',
      summary: 'Sends a code to an e-mail address or a phone number',
      body: sent({ email: Text, phone: Text, lang: Text, action: Whole, sendInterval: Whole }),
    },
    refreshToken: {
      ...third,
      method: 'POST',
      path: '/third/v1/user-auth/refresh-token',
      summary: 'A new access token for a refresh token',
      body: sent({ refreshToken: Text, useJwt: Whole }),
    },
    signOut: {
      ...third,
      method: 'POST',
      path: '/third/v1/user-signout',
      summary: 'Ends the session of the tokens',
      body: sent({ refreshToken: Text, accessToken: Token }),
    },
    deleteUser: {
      ...third,
      method: 'POST',
      path: '/third/v1/user-delete',
      summary: 'Deletes the user who asks, who must have signed in within five minutes',
      body: AnyJson,
    },
    getProfile: { ...third, method: 'GET', path: '/third/v1/user-profile', summary: 'The user who asks' },
    setProfile: {
      ...third,
      method: 'PUT',
      path: '/third/v1/user-profile',
      summary: 'Changes the shown name and picture',
      body: sent({ displayName: Text, photoUrl: Text }),
    },
    getExtra: {
      ...third,
      method: 'GET',
      path: '/third/v1/user-extra',
      summary: 'When the user was made and last signed in',
    },
    setPassword: {
      ...third,
      method: 'PUT',
      path: '/third/v1/user-password',
      summary: 'Sets the password by a code; every other session ends',
      body: sent({ provider: Whole, verifyCode: Text, newPassword: Text }),
    },
    setPhoneOrEmail: {
      ...third,
      method: 'PUT',
      path: '/third/v1/user-phone-email',
      summary: 'Changes the e-mail address or the phone number by a code for the new one',
      body: sent({ newEmail: Text, newPhone: Text, newVerifyCode: Text, lang: Text }),
    },
    resetPassword: {
      ...third,
      method: 'POST',
      path: '/third/v1/reset-password',
      summary: 'Sets a forgotten password by a code; every session ends',
      body: sent({ provider: Whole, account: Text, password: Text, verifyCode: Text }),
    },
    link: {
      ...third,
      method: 'POST',
      path: '/third/v1/user-link',
      summary: 'Gives the user one more way in; one without a name becomes a whole user and keeps the uid',
      body: sent({ provider: Whole, token: Token, extraData: Token }),
    },
    unlink: {
      ...third,
      method: 'POST',
      path: '/third/v1/user-unlink',
      summary: 'Takes a way in away; the last one stays',
      body: AnyJson,
    },
    reauthenticate: {
      ...third,
      method: 'POST',
      path: '/third/v1/user-reauthenticate',
      summary: 'Proves again who the user is',
      body: sent({ provider: Whole, token: Token, extraData: Token }),
    },
    getFactors: { ...third, method: 'GET', path: '/third/v1/user-factors', summary: 'The second factors of the user' },
    startTotp: {
      ...third,
      method: 'POST',
      path: '/third/v1/user-factors/totp',
      summary: 'A secret for an authenticator app; it counts with its first code',
      body: sent({}),
    },
    confirmTotp: {
      ...third,
      method: 'POST',
      path: '/third/v1/user-factors/totp/confirm',
      summary: 'Keeps the authenticator app by its first code; answers ten recovery codes, once',
      body: sent({ ticket: Text, code: Text }),
    },
    removeTotp: {
      ...third,
      method: 'POST',
      path: '/third/v1/user-factors/totp/remove',
      summary: 'Takes the authenticator app away by a code of it, or by a recovery code',
      body: sent({ code: Text }),
    },
    preflight: { ...open, method: 'OPTIONS', path: '/*', summary: 'What pages of other origins may send' },
  },
})

/** What whoever takes our tokens verifies them with. */
export const appAuthKeys = service({
  name: 'build/app-auth',
  prefix: '/app-auth',
  zone: 'current',
  permissions: [],
  errors: {},
  calls: {
    getKeySet: {
      method: 'GET',
      path: '/.well-known/jwks.json',
      who: 'anonymous',
      may: 'none',
      kind: 'standard',
      rate: 'device',
      summary: 'The public keys of the tokens of app users in this zone',
    },
  },
})

import { service } from '../../../../kernel/contract.ts'
import { flag, Instant, integer, list, nullable, shape, text } from '../../../../kernel/shape.ts'
import { FactorCode, PasskeyAnswer, PasskeyQuestion, shared, Ticket } from '../contract.ts'

const PasskeyName = text(60, 1)

export const Passkey = shape({
  credentialId: text(1400),
  name: PasskeyName,
  createdAt: Instant,
  lastUsedAt: nullable(Instant),
})

const RecoveryCodes = list(text(20))

export const factorCalls = service({
  ...shared,
  prefix: '/oauth2/v1/factors',
  calls: {
    getFactors: {
      method: 'GET',
      path: '',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'The second factors of who asks',
      answer: shape({
        authenticator: nullable(shape({ createdAt: Instant })),
        recoveryCodesLeft: integer(0, 100),
        passkeys: list(Passkey),
        isRequired: flag(),
      }),
    },
    startAuthenticator: {
      method: 'POST',
      path: '/authenticator',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Makes a secret for an authenticator app; it counts once a code of it was sent',
      answer: shape({ ticket: Ticket, secret: text(100), uri: text(500) }),
    },
    confirmAuthenticator: {
      method: 'POST',
      path: '/authenticator/confirm',
      who: 'cp',
      may: 'none',
      team: 'none',
      rate: 'signIn',
      transaction: false,
      summary: 'Takes the authenticator app into use and answers the recovery codes, this once',
      body: shape({ ticket: Ticket, code: FactorCode }),
      answer: shape({ recoveryCodes: RecoveryCodes }),
    },
    removeAuthenticator: {
      method: 'DELETE',
      path: '/authenticator',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Takes the authenticator app and its recovery codes out of use',
    },
    renewRecoveryCodes: {
      method: 'POST',
      path: '/recovery-codes',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Makes new recovery codes; the ones before no longer count',
      answer: shape({ recoveryCodes: RecoveryCodes }),
    },
    startPasskey: {
      method: 'POST',
      path: '/passkeys/options',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Begins making a passkey',
      answer: shape({ ticket: Ticket, passkey: PasskeyQuestion }),
    },
    addPasskey: {
      method: 'POST',
      path: '/passkeys',
      who: 'cp',
      may: 'none',
      team: 'none',
      transaction: false,
      summary: 'Takes a new passkey into use',
      body: shape({ ticket: Ticket, name: PasskeyName, passkey: PasskeyAnswer }),
      answer: Passkey,
    },
    renamePasskey: {
      method: 'PUT',
      path: '/passkeys',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Gives a passkey another name',
      body: shape({ credentialId: text(1400, 1), name: PasskeyName }),
      answer: Passkey,
    },
    removePasskey: {
      method: 'DELETE',
      path: '/passkeys',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Takes a passkey out of use',
      query: shape({ credentialId: text(1400, 1) }),
    },
  },
})

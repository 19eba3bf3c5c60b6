import { type CallSpec, service } from '../../../../kernel/contract.ts'
import { Type } from '../../../../kernel/shape.ts'
import { errors } from '../contract.ts'

/** Each name may come once, twice or not at all: what is wrong is said by the page, or as the standard has it. */
const Anything = Type.Object({}, { additionalProperties: true })
const open = {
  who: 'anonymous',
  may: 'none',
  kind: 'standard',
  transaction: false,
} as const satisfies Partial<CallSpec>

/** The page on which users of an app sign in, and the calls of OpenID Connect around it. */
export const hostedSignIn = service({
  name: 'build/app-auth',
  prefix: '/app-auth',
  zone: 'current',
  permissions: [],
  errors,
  calls: {
    getMetadata: {
      ...open,
      method: 'GET',
      path: '/.well-known/openid-configuration',
      rate: 'device',
      summary: 'What relying parties need to know of the issuer of this zone',
    },
    openPage: {
      ...open,
      method: 'GET',
      path: '/authorize',
      query: Anything,
      summary: 'The page on which users of an app sign in, register or set a new password',
    },
    sendForm: {
      ...open,
      method: 'POST',
      path: '/authorize',
      body: Anything,
      bodyLimit: 32_768,
      summary: 'A step of the page; the last one leads back to the app with a code',
    },
    openProvider: {
      ...open,
      method: 'GET',
      path: '/provider',
      query: Anything,
      summary: 'Leads from the page to a provider that users may sign in with',
    },
    comeBack: {
      ...open,
      method: 'GET',
      path: '/provider-done',
      query: Anything,
      summary: 'Where providers lead users back to; signs in whom the code proves',
    },
    exchangeCode: {
      ...open,
      method: 'POST',
      path: '/token',
      body: Anything,
      bodyLimit: 32_768,
      summary: 'Tokens for a code with its verifier, or for a refresh token',
    },
    getStyle: { ...open, method: 'GET', path: '/hosted.css', query: Anything, summary: 'The style sheet of the page' },
  },
})

import { service } from '../../../../kernel/contract.ts'
import { Instant, optional, shape, text } from '../../../../kernel/shape.ts'
import { shared, Ticket } from '../contract.ts'
import { passwordLength } from '../rules.ts'

/** Counted in characters by the rules; twice as many units hold them all. */
const NewPassword = text(passwordLength.max * 2, passwordLength.min)

/** What the form of somebody who has a password asks for. */
export const PasswordChange = shape({ current: text(256, 1), password: NewPassword })

export const passwordCalls = service({
  ...shared,
  prefix: '/oauth2/v1/password',
  calls: {
    forgotPassword: {
      method: 'POST',
      path: '/forgotten',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      summary: 'Mails a link for a new password; the answer is the same whether there is such an account',
      body: shape({ account: text(254, 1) }),
    },
    resetPassword: {
      method: 'POST',
      path: '/reset',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      transaction: false,
      summary: 'Sets a new password with the mailed link and ends every session',
      body: shape({ token: Ticket, password: NewPassword }),
      answer: shape({ loginName: text(254) }),
    },
    changePassword: {
      method: 'PUT',
      path: '/change',
      who: 'cp',
      may: 'none',
      team: 'none',
      rate: 'signIn',
      transaction: false,
      summary: 'Sets a new password and ends every other session',
      body: shape({ current: optional(text(256, 1)), password: NewPassword }),
      answer: shape({ passwordChangedAt: Instant }),
    },
  },
})

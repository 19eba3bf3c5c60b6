import { refuse } from '../../../kernel/errors.ts'
import type { MasterKey } from '../../../server/master-key.ts'
import type { Server } from '../../../server/server.ts'
import { notices as contract } from './contract.ts'
import { type Category, categories } from './rules.ts'

const purpose = 'notice unsubscribe'
export type Unsubscribed = Category | 'digest'

/** The address in `List-Unsubscribe`. It has no end: a mail may lie for years. All it can do is turn mails off. */
export function unsubscribeUrl({ config, masterKey }: Server, accountId: string, what: Unsubscribed): string {
  const text = `${accountId}.${what}`
  const token = `${text}.${masterKey.sign(purpose, text)}`
  return `${config.publicUrl}${contract.prefix}/unsubscribe?token=${token}`
}

/** Whose mails of what a link ends. Refuses a link that was changed. */
export function readUnsubscribe(masterKey: MasterKey, token: string): { accountId: string; what: Unsubscribed } {
  const [accountId = '', what = '', mac = ''] = token.split('.')
  const isKnown = what === 'digest' || categories.includes(what as Category)
  if (!isKnown || !masterKey.verify(purpose, `${accountId}.${what}`, mac)) refuse(contract.errors.badUnsubscribe)
  return { accountId, what: what as Unsubscribed }
}

import type { Work } from '../../../server/work.ts'
import { agreementEvents } from './agreement-events.ts'
import { accountEvents, erasedAccounts, providerEvents, teamEvents } from './listeners.ts'
import { giveUpDigest, giveUpMails, sendDigest, sendMails } from './mailing.ts'
import { digestKind, forgetOld, makeDigests } from './sweeps.ts'
import { mailKind } from './write.ts'

export default {
  jobs: [
    { kind: mailKind, run: sendMails, giveUp: giveUpMails },
    { kind: digestKind, run: sendDigest, giveUp: giveUpDigest },
  ],
  listeners: [agreementEvents, accountEvents, teamEvents, providerEvents, erasedAccounts],
  sweeps: [
    { name: 'notices.digests', every: '15 * * * * *', database: 'zone', run: makeDigests },
    { name: 'notices.retention', every: '40 17 * * * *', database: 'zone', run: forgetOld },
  ],
} satisfies Work

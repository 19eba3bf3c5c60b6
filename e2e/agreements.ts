import { agreements } from '../src/services/ground/agreements/contract.ts'
import { developerAgreements } from '../src/services/ground/agreements/developer/contract.ts'
import { agreementDocuments } from '../src/services/ground/agreements/documents/contract.ts'
import type { Visitor } from './loggia.ts'

const body = ['1. What this is', 'The store offers your apps.', '2. What you do', 'You ship what you may ship.'].join(
  '\n\n',
)
const bodyZh = ['一、说明', '应用市场提供您的应用。', '二、您的义务', '您仅发布有权发布的内容。'].join('\n\n')
const texts = { enUS: { title: 'Terms of the store', body }, zhCN: { title: '应用市场条款', body: bodyZh } }

/** A kind for people and one for teams, each signed and with a next draft, and an agreement of the team that was handed in. */
export async function writeAgreements(owner: Visitor): Promise<{ documentIds: string[]; agreementId: string }> {
  const kinds = [
    { agrType: 1, signer: 'person', name: { zh: '用户协议', en: 'User agreement', ru: 'Соглашение' }, permissions: [] },
    {
      agrType: 2,
      signer: 'team',
      name: { zh: '付费应用协议', en: 'Paid apps agreement', ru: 'Платные приложения' },
      permissions: ['store.share'],
    },
  ] as const
  const documentIds: string[] = []
  for (const kind of kinds) {
    const key = { agrType: kind.agrType, branchId: 0 }
    const settings = { isRequired: false, isWithdrawable: true, revision: 0 }
    const permissions = [...kind.permissions]
    await owner.ok(agreementDocuments, 'setKind', { body: { ...key, ...kind, permissions, ...settings } })
    const documentId = await draft(owner, key, texts)
    await owner.ok(agreementDocuments, 'actOnDocument', {
      params: { documentId },
      body: { action: 'publish', revision: 3 },
    })
    const read = await owner.ok(agreements, 'templateInfo', { query: { ...key, country: 'ZZ' } })
    const { country, language, version, bodyHash } = read
    const signInfo = [{ ...key, country, language, version, bodyHash, isAgree: true }]
    if (kind.signer === 'person') await owner.ok(agreements, 'sign', { body: { signInfo } })
    else await owner.ok(developerAgreements, 'signForTeam', { body: { signInfo } })
    documentIds.push(documentId)
  }
  const changed = { enUS: { title: 'Terms of the store', body: `${body}\n\n3. What is new\nSomething.` } }
  documentIds.push(await draft(owner, { agrType: 1, branchId: 0 }, changed))
  const { agreementId } = await owner.ok(developerAgreements, 'createAgreement', {
    body: { kind: 'EULA', country: 'ZZ', language: 'enUS', title: 'Licence of Beacon', body },
  })
  await owner.ok(developerAgreements, 'submitAgreement', { body: { agreementId, revision: 1 } })
  return { documentIds, agreementId }
}

async function draft(owner: Visitor, key: { agrType: number; branchId: number }, of: Partial<typeof texts>) {
  const made = await owner.ok(agreementDocuments, 'createDocument', { body: { ...key, country: 'ZZ' } })
  const params = { documentId: made.documentId }
  let { revision } = made
  for (const [language, text] of Object.entries(of)) {
    const written = await owner.ok(agreementDocuments, 'writeText', { params, body: { language, ...text, revision } })
    revision = written.revision
  }
  return made.documentId
}

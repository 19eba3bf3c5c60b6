import { menu } from '../src/services/ground/menu/contract.ts'
import { menuOperations } from '../src/services/ground/menu/operations/contract.ts'
import type { Visitor } from './loggia.ts'

/** One application that was answered and one that waits. The owner is an operator too. */
export async function applyForSupport(owner: Visitor): Promise<void> {
  const contact = 'owner@example.com'
  const { applyId, revision } = await owner.ok(menu, 'applyForSupport', {
    body: { serviceId: 'apps', contact, description: 'Our release waits for days.' },
  })
  const body = { action: 'accept' as const, answer: 'We are on it.', revision }
  await owner.ok(menuOperations, 'answerSupport', { params: { applyId }, body })
  await owner.ok(menu, 'applyForSupport', {
    body: { serviceId: 'webhooks', contact, description: 'Deliveries come twice.' },
  })
}

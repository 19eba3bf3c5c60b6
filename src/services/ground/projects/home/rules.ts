export type HomeKind = 'failedPackage' | 'task' | 'release'
export type HomeNeed = 'fix' | 'answer' | 'release'

export interface HomeChange {
  kind: HomeKind
  isOpen: boolean
  need: HomeNeed | null
}

/** What a version waits for when it has come into a state; other states wait for nobody of the team. */
const needByState: Readonly<Record<string, HomeNeed>> = { REJECTED: 'fix', PENDING_RELEASE: 'release' }

/** What an event changes on the home page of its team. A version held for others of its submission needs nobody. */
export function homeChangesOf(type: string, { to, heldBy }: Readonly<Record<string, unknown>>): HomeChange[] {
  if (type === 'package.failed') return [{ kind: 'failedPackage', isOpen: true, need: null }]
  if (type.startsWith('package.')) return [{ kind: 'failedPackage', isOpen: false, need: null }]
  if (type === 'version.review.question') return [{ kind: 'task', isOpen: true, need: 'answer' }]
  if (!type.startsWith('version.') || typeof to !== 'string') return []
  const isHeld = to === 'PENDING_RELEASE' && heldBy !== undefined
  const need = type === 'version.precheck.failed' ? 'fix' : isHeld ? null : (needByState[to] ?? null)
  const task: HomeChange = { kind: 'task', isOpen: need !== null, need }
  return type === 'version.on_shelf' ? [task, { kind: 'release', isOpen: true, need: null }] : [task]
}

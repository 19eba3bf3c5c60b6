/** The specification's real-name state is a number. */
export const realState = { none: 0, inReview: 1, individual: 2, enterprise: 3, refused: 4, expired: 5 } as const

/** Whether somebody looked at the details and passed them. */
export function isVerified(state: number): boolean {
  return state === realState.individual || state === realState.enterprise
}

export type RealNameAction = 'submit' | 'withdraw' | 'decide' | 'expire'

const moves: Readonly<Record<RealNameAction, readonly number[]>> = {
  submit: [realState.none, realState.refused, realState.expired, realState.individual, realState.enterprise],
  withdraw: [realState.inReview],
  decide: [realState.inReview],
  expire: [realState.individual, realState.enterprise],
}

export function mayMove(state: number, action: RealNameAction): boolean {
  return moves[action].includes(state)
}

/** What the person may do in a state. */
export function ownActions(state: number): ('submit' | 'withdraw')[] {
  return (['submit', 'withdraw'] as const).filter(action => mayMove(state, action))
}

/** The state a decision leads to. */
export function decidedState(kind: 'individual' | 'enterprise', verdict: 'pass' | 'refuse'): number {
  if (verdict === 'refuse') return realState.refused
  return kind === 'individual' ? realState.individual : realState.enterprise
}

export const documentTypes = ['idCard', 'passport', 'residencePermit', 'drivingLicence'] as const

/**
 * Life cycles are data. A table names every move; the server applies it in one transaction, the page draws its buttons
 * from `allowedActions`, and one test walks every state times every action.
 */
export interface Move<State extends string, Action extends string, Fact extends string = never> {
  from: readonly State[]
  action: Action
  /** The next state; a function where the row's own facts decide, `null` where the row is deleted. */
  to: State | null | ((facts: Readonly<Record<Fact, boolean>>) => State)
  /** The permission that allows it; `system` for timers and workers only. */
  may: string
  /** Facts that must hold; the first that does not is named in the refusal. */
  needs?: readonly Fact[]
  /** The event written in the same transaction. */
  event: string
}

export interface LifeCycle<State extends string, Action extends string, Fact extends string = never> {
  entity: string
  states: readonly State[]
  moves: readonly Move<State, Action, Fact>[]
}

/** Checks a table when it is made: no move twice, only named states. */
export function lifeCycle<const State extends string, const Action extends string, const Fact extends string = never>(
  table: LifeCycle<State, Action, Fact>,
): LifeCycle<State, Action, Fact> {
  const seen = new Set<string>()
  for (const move of table.moves) {
    for (const from of move.from) {
      if (!table.states.includes(from)) throw new Error(`${table.entity}: unknown state ${from}`)
      const key = `${from} ${move.action} ${move.may}`
      if (seen.has(key)) throw new Error(`${table.entity}: ${move.action} twice from ${from}`)
      seen.add(key)
    }
  }
  return table
}

/** The move for an action in a state that this caller may make, or undefined. */
export function moveFor<S extends string, A extends string, F extends string>(
  table: LifeCycle<S, A, F>,
  state: S,
  action: A,
  may: (permission: string) => boolean,
): Move<S, A, F> | undefined {
  return table.moves.find(move => move.action === action && move.from.includes(state) && may(move.may))
}

/** What the caller can do now. `facts` hides moves whose needs do not hold; leave it out to list by state and right. */
export function allowedActions<S extends string, A extends string, F extends string>(
  table: LifeCycle<S, A, F>,
  state: S,
  may: (permission: string) => boolean,
  facts?: Readonly<Record<F, boolean>>,
): A[] {
  const actions = new Set<A>()
  for (const move of table.moves) {
    if (move.may === 'system' || !move.from.includes(state) || !may(move.may)) continue
    if (facts && move.needs?.some(fact => !facts[fact])) continue
    actions.add(move.action)
  }
  return [...actions]
}

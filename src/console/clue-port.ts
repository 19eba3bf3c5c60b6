import { type Clue, reportClue } from './clues.ts'
import { mode } from './mode.ts'
import { randomUuid } from './random-id.ts'
import { currentTeam, sessionState } from './session.ts'

/** Takes a clue: of a member of a team, or of somebody not signed in. False where it did not arrive. */
export type SendClue = (clue: Clue, from: { isVisitor: boolean; visitId: string }) => Promise<boolean>
type ClueSource = () => Promise<{ sendClue: SendClue }>

let source: ClueSource | undefined
const visitKey = 'loggia.visit'

/** Takes over the service that keeps clues, once, from `main`. */
export function connectClues(given: ClueSource): void {
  source = given
}

/** One for this tab: what is looked at before signing in finds its team by it. */
function visitId(): string {
  const kept = sessionStorage.getItem(visitKey) ?? randomUuid()
  sessionStorage.setItem(visitKey, kept)
  return kept
}

/** Reports what is looked at on this tab; nothing comes of it for whoever looks. */
export async function tellClue(clue: Clue): Promise<void> {
  const { status } = sessionState()
  await reportClue(
    {
      store: sessionStorage,
      teamCountry: () => currentTeam()?.countryCode,
      send: async told => {
        const found = await source?.()
        return (
          (await found?.sendClue(told, { isVisitor: status !== 'in' || mode.isDemoProject(), visitId: visitId() })) ??
          false
        )
      },
    },
    clue,
  )
}

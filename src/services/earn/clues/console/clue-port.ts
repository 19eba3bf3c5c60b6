import { client } from '../../../../console/client.ts'
import type { SendClue } from '../../../../console/clue-port.ts'
import { quietCall } from '../../../../console/quiet-call.ts'
import { clues } from '../contract.ts'

const api = client(clues)

export const sendClue: SendClue = async (clue, { isVisitor, visitId }) => {
  const input = { body: { ...clue, visitId } }
  const answer = isVisitor
    ? await quietCall(api.reportAnonymousBehavior, input)
    : await quietCall(api.reportBehavior, input)
  return answer !== undefined
}

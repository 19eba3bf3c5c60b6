import { headers } from '../../../kernel/wire.ts'
import type { Person, Stage } from '../../../testkit/stage.ts'
import { audiences } from './audiences/contract.ts'

/** Uploads ids as CSV, as a program does. */
export async function uploadIds(stage: Stage, person: Person, audienceId: string, csv: string, query = '') {
  const reply = await stage.app.inject({
    method: 'POST',
    url: `/mms/targeting-service/v1/audiences/${audienceId}/members${query}`,
    headers: {
      cookie: person.cookie,
      [headers.csrf]: person.csrfToken,
      [headers.team]: person.teamId,
      'content-type': 'text/csv',
    },
    payload: csv,
  })
  return { status: reply.statusCode, body: reply.json() }
}

let made = 0

/** A static audience with these ids in it. */
export async function fixedAudience(stage: Stage, person: Person, projectId: string, csv: string): Promise<string> {
  const body = { projectId, name: `Fixed ${++made}` }
  const { audienceId } = await person.ok(audiences, 'createAudience', { body })
  const { status, body: answer } = await uploadIds(stage, person, audienceId, csv)
  if (status !== 200) throw new Error(JSON.stringify(answer))
  await stage.settle()
  return audienceId
}

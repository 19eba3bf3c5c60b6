import type { Stage } from '../../../../testkit/stage.ts'
import type { ConfigStage } from '../config.testkit.ts'

/** Asks for the config of a project as apps do, with its key. */
export async function fetchConfigOf(
  { apiKey }: Pick<ConfigStage, 'apiKey'>,
  app: { inject: Stage['app']['inject'] },
  body: object,
  headers: Record<string, string> = {},
) {
  const reply = await app.inject({
    method: 'POST',
    url: '/rcs/v1/config',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  })
  return { status: reply.statusCode, headers: reply.headers, body: reply.body === '' ? null : reply.json() }
}

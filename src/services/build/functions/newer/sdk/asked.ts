import { commonErrors, refuse } from '../../../../../kernel/errors.ts'
import type { Static, TSchema } from '../../../../../kernel/shape.ts'
import { asker } from '../../../../../server/asking.ts'
import { Context } from '../../../../../server/context.ts'
import { badField } from '../../../../../server/http/problem.ts'
import { compileValidator } from '../../../../../server/http/schemas.ts'
import type { Download, UploadInput, WireAccess } from '../../../../../server/implement.ts'
import type { Asker } from '../functions.ts'
import { provenRequest } from './signature.ts'

/** A signed request: who asks, in which project, and what the address says. */
export interface Asked extends Asker {
  projectId: string
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string | undefined>>
  headers: UploadInput['request']['headers']
}

type Input = UploadInput & { params: object }
export type Handler = (ctx: Context, input: Input, wire: WireAccess) => Promise<Download>
type Answered = object | Download | null

interface Options<B extends TSchema> {
  body: B
  limitBytes?: number
  /** The call of ours whose right the request itself needs; what it asks of others, these check. */
  as?: 'getFunction' | 'invokeFunction'
  status?: number
}

const smallBody = 1_048_576

/** A handler for requests that are signed, with a body that is checked. */
export function withBody<B extends TSchema>(
  { body: schema, limitBytes = smallBody, as = 'getFunction', status = 200 }: Options<B>,
  work: (asked: Asked, body: Static<B>) => Promise<Answered>,
): Handler {
  const validate = compileValidator({ schema })
  return async (ctx, input, wire) => {
    const { asked, bytes } = await askedBy(ctx, input, wire, limitBytes, as)
    const checked = validate(parsed(bytes))
    if (checked.error) throw checked.error
    return answer(await work(asked, checked.value as Static<B>), status)
  }
}

/** The same for requests without a body. */
export function bare(work: (asked: Asked) => Promise<Answered>): Handler {
  return async (ctx, input, wire) => {
    const { asked } = await askedBy(ctx, input, wire, smallBody, 'getFunction')
    return answer(await work(asked), 200)
  }
}

async function askedBy(ctx: Context, input: Input, wire: WireAccess, limitBytes: number, as: string) {
  const { server } = ctx
  const { request, stream } = input
  const { key, body: bytes } = await provenRequest(server, request, stream, limitBytes)
  const params = input.params as Record<string, string>
  const named = [params['projectId'], request.headers['x-project-id'] ?? key.projectId]
  if (named.some(one => one !== key.projectId))
    refuse(commonErrors.notFound, { entity: 'project', id: params['projectId'] })
  const place = await server.inside.find({ service: 'build/functions', name: as })?.admit(request, key)
  if (!place) throw new Error(`${as} is not mounted`)
  const query = Object.fromEntries(
    Object.entries(request.query as Record<string, string | string[]>).map(([name, one]) => [
      name,
      Array.isArray(one) ? one[0] : one,
    ]),
  )
  const asked: Asked = {
    ...{ ctx: new Context(server, place), ask: asker(ctx, wire, key) },
    ...{ projectId: key.projectId, params, query, headers: request.headers },
  }
  return { asked, bytes }
}

function parsed(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw badField('', 'json', `must be JSON: ${(error as Error).message.slice(0, 200)}`)
  }
}

const isDownload = (answered: object): answered is Download => 'headers' in answered && 'body' in answered

function answer(answered: Answered, status: number): Download {
  if (answered === null) return { status: 204, headers: {}, body: null }
  if (isDownload(answered)) return answered
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  return { status, headers, body: JSON.stringify(answered) }
}

/** How many a page has, as the address says it. */
export function pageSizeOf(query: Asked['query'], name: 'maxitems' | 'limit'): number {
  const wanted = Number(query[name] ?? 100)
  return Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, 100) : 100
}

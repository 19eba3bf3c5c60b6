import type { IncomingHttpHeaders } from 'node:http'
import { type Download, implement } from '../../../../server/implement.ts'
import type { Server } from '../../../../server/server.ts'
import { type AppOrServer, appOrServerOf } from '../../../build/app-auth/public.ts'
import type { Compiled } from '../fetch/compiled.ts'
import { isKnown, templateFor } from '../fetch/handlers.ts'
import { kindOf } from '../fetch/kind.ts'
import { readMemoryOf } from '../reads.ts'
import { remoteConfigForeign } from './contract.ts'
import { type Exported, toGrowthBook } from './growthbook.ts'
import { toUnleash } from './unleash-features.ts'

const mostNamed = 50

export default implement(remoteConfigForeign, {
  unleashFeatures: async ({ server }, { request }) => {
    const caller = await appOrServerOf(server, request.headers)
    return answerOf(server, caller, request.headers, unleash)
  },

  growthBookFeatures: async ({ server }, { params, request }) => {
    const caller = await appOrServerOf(server, { 'x-api-key': params.clientKey })
    return answerOf(server, caller, request.headers, growthBook)
  },
})

type Form = (compiled: Pick<Compiled, 'content' | 'etag' | 'version' | 'publishedAt'>) => {
  body: string
  left: readonly string[]
}

const unleash: Form = ({ content, etag, version }) => {
  const { features, left } = toUnleash(content)
  const meta = { etag, revisionId: version }
  return { body: JSON.stringify({ version: 2, features: Object.values(features), query: {}, meta }), left }
}

const growthBook: Form = ({ content, publishedAt }) => {
  const { features, left }: Exported<Record<string, object>> = toGrowthBook(content)
  return { body: JSON.stringify({ status: 200, features, dateUpdated: new Date(publishedAt).toISOString() }), left }
}

/** By template, once: a template is never changed. */
const made = new WeakMap<Compiled, Map<Form, ReturnType<Form>>>()

async function answerOf(server: Server, caller: AppOrServer, sent: IncomingHttpHeaders, form: Form): Promise<Download> {
  const compiled = await templateFor(server, caller, kindOf(caller, undefined), null)
  readMemoryOf(server).mark(caller.zone, compiled)
  const { etag } = compiled
  const headers = { etag, 'cache-control': 'no-cache', 'access-control-allow-origin': '*' }
  if (isKnown(sent, etag)) return { status: 304, headers, body: null }
  const known = made.get(compiled) ?? new Map<Form, ReturnType<Form>>()
  made.set(compiled, known)
  const { body, left } = known.get(form) ?? formOf(compiled, form)
  known.set(form, { body, left })
  const told: Record<string, string> = left.length > 0 ? { 'x-not-exported': left.slice(0, mostNamed).join(',') } : {}
  return { headers: { 'content-type': 'application/json; charset=utf-8', ...headers, ...told }, body }
}

/** Lots of experiments and rollouts are drawn here: what they are about is left out, for others would draw otherwise. */
function formOf(compiled: Compiled, form: Form): ReturnType<Form> {
  const ofRollouts = compiled.rollouts.map(one => one.parameter)
  const drawn = new Set([...compiled.experiments.flatMap(one => one.parameters), ...ofRollouts])
  const parameters = Object.entries(compiled.content.parameters).filter(([key]) => !drawn.has(key))
  const content = { ...compiled.content, parameters: Object.fromEntries(parameters) }
  const { body, left } = form({ ...compiled, content })
  return { body, left: [...left, ...drawn].sort() }
}

import type { IncomingHttpHeaders } from 'node:http'
import type { CallChain, CallPlace } from './place.ts'
import type { Server } from './server.ts'

/** What a function sends along with all that it asks. */
export const chainHeader = 'x-loggia-hops'
const purpose = 'call-chain'

/** Marks are good for this much longer than asked, so that calls of one function have the same one for a while. */
const sameForMs = 10_000
const mostProjects = 1_000
const mostOfProject = 20
/** By project, then by the time they are good until, plus the hops: looked up without putting a text together. */
const kept = new WeakMap<Server, Map<string, Map<number, string>>>()

/**
 * `hops.project.until.mac`. Signed, as what is written at the end of a chain wakes no trigger any more: whoever could
 * write the number himself could write past the triggers of an app.
 */
export function chainMark(server: Server, { projectId, hops }: CallChain, untilMs: number): string {
  const until = Math.ceil(untilMs / sameForMs) * sameForMs
  const known = kept
    .get(server)
    ?.get(projectId)
    ?.get(until + hops)
  if (known !== undefined) return known
  const told = `${hops}.${projectId}.${until}`
  const mark = `${told}.${server.masterKey.sign(purpose, told)}`
  const projects = kept.get(server) ?? new Map<string, Map<number, string>>()
  const marks = projects.get(projectId) ?? new Map<number, string>()
  if (marks.size >= mostOfProject) marks.clear()
  if (projects.size >= mostProjects) projects.clear()
  kept.set(server, projects.set(projectId, marks.set(until + hops, mark)))
  return mark
}

/** Undefined where no function led here, or the mark is not ours or over. */
export function chainOf({ masterKey, clock }: Server, headers: IncomingHttpHeaders): CallChain | undefined {
  const sent = headers[chainHeader]
  if (typeof sent !== 'string') return undefined
  const [hops = '', projectId = '', until = '', mac = ''] = sent.split('.')
  if (!masterKey.verify(purpose, `${hops}.${projectId}.${until}`, mac) || Number(until) < clock.now()) return undefined
  return { projectId, hops: Number(hops) }
}

/** How many functions led to what a call does in a project; a chain of another project counts for nothing there. */
export const hopsIn = ({ led }: CallPlace, projectId: unknown): number =>
  led && led.projectId === projectId ? led.hops : 0

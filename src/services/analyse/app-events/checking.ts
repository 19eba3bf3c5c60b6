import { createHash } from 'node:crypto'
import { dayMs, exposureName, limits, settledTime } from './rules.ts'

/** An event as an app or another service tells of it. */
export interface AppEvent {
  /** What the sender calls it, so that sending it again counts once. */
  eventId?: string
  /** `purchase`, or `$exposure` with `experiment` and `variant`. */
  name: string
  /** Who did it: what experiments draw by and audiences name, as canonical text. */
  unit: string
  /** Epoch milliseconds; when it is taken unless said. */
  at?: number
  value?: number | null
  /** An id. */
  experiment?: string | null
  variant?: string | null
  props?: Readonly<Record<string, string | number | boolean | null>>
}

/** An event as it is kept. */
export interface KeptEvent {
  event_id: string
  name: string
  unit: string
  at: number
  value: number | null
  experiment: string | null
  variant: string | null
  props: string
}

/** Which field is wrong with an event, and what to change. */
export interface EventProblem {
  field: string
  message: string
}

export interface Arrival {
  receivedAt: number
  sentAt?: number
  /** An id for an event that has none of its own. */
  newId(): string
}

const nameForm = /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/
const variantForm = /^[\w.-]{1,64}$/
const eventIdForm = /^[\w.:-]{1,64}$/
const keyForm = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/
const idForm = /^[1-9][0-9]{0,18}$/

/** The row of an event, or what is wrong with it. */
export function keptEvent(said: unknown, arrival: Arrival): KeptEvent | EventProblem {
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return wrong('', 'an event is an object')
  const { eventId, name, unit, at, value, experiment, variant, props } = said as Record<string, unknown>
  if (typeof name !== 'string' || !(nameForm.test(name) || name === exposureName))
    return wrong(
      'name',
      `a name has 1 to ${limits.nameLength} letters, digits and _ . : - and begins with a letter or _`,
    )
  if (typeof unit !== 'string' || unit === '' || unit.length > limits.unitLength || !isPlain(unit))
    return wrong('unit', `a unit is a text of 1 to ${limits.unitLength} characters`)
  if (eventId != null && !(typeof eventId === 'string' && eventIdForm.test(eventId)))
    return wrong('eventId', `an event id has 1 to ${limits.eventIdLength} letters, digits and _ . : -`)
  if (at != null && !(Number.isSafeInteger(at) && (at as number) > 0))
    return wrong('at', 'a time is a whole number of milliseconds since 1970')
  if (value != null && !Number.isFinite(value)) return wrong('value', 'a value is a finite number')
  const seen = exposureProblem(name, experiment, variant)
  if (seen) return seen
  const kept = propsOf(props)
  if (typeof kept !== 'string') return kept
  const settled = settledTime((at as number | undefined) ?? arrival.receivedAt, arrival.sentAt, arrival.receivedAt)
  if (settled < arrival.receivedAt - limits.keptDays * dayMs)
    return wrong('at', `what happened more than ${limits.keptDays} days ago is not kept`)
  return {
    event_id: eventId == null ? arrival.newId() : idOf(unit, eventId as string),
    ...{ name, unit: unit.normalize('NFC'), at: settled, value: (value as number | undefined) ?? null },
    ...{ experiment: (experiment as string | undefined) ?? null, variant: (variant as string | undefined) ?? null },
    props: kept,
  }
}

export const isProblem = (one: KeptEvent | EventProblem): one is EventProblem => 'message' in one

function exposureProblem(name: string, experiment: unknown, variant: unknown): EventProblem | null {
  const isNeeded = name === exposureName
  if ((experiment != null || isNeeded) && !(typeof experiment === 'string' && idForm.test(experiment)))
    return wrong('experiment', 'an experiment is named by its id, a decimal text')
  if ((variant != null || isNeeded) && !(typeof variant === 'string' && variantForm.test(variant)))
    return wrong('variant', `a variant has 1 to ${limits.variantLength} letters, digits and _ . -`)
  return null
}

function propsOf(props: unknown): string | EventProblem {
  if (props == null) return '{}'
  if (typeof props !== 'object' || Array.isArray(props)) return wrong('props', 'props is an object')
  const entries = Object.entries(props)
  if (entries.length > limits.props) return wrong('props', `an event has at most ${limits.props} props`)
  const kept: Record<string, string | number | boolean> = {}
  for (const [key, value] of entries) {
    if (!keyForm.test(key))
      return wrong(`props.${key.slice(0, 64)}`, 'a prop is named by up to 64 letters, digits and _')
    if (value === null) continue
    if (typeof value === 'string') kept[key] = whole(value.slice(0, limits.textLength))
    else if (typeof value === 'boolean' || Number.isFinite(value)) kept[key] = value as number | boolean
    else return wrong(`props.${key}`, 'a prop is a text, a number or true or false')
  }
  const text = JSON.stringify(kept)
  if (Buffer.byteLength(text) > limits.propsBytes)
    return wrong('props', `the props of an event have at most ${limits.propsBytes} bytes`)
  return text
}

/** PostgreSQL keeps no NUL, and half a character is none. */
const isPlain = (text: string) => !text.includes('\0') && text.isWellFormed()
const whole = (text: string) => text.replaceAll('\0', '').toWellFormed()

const wrong = (field: string, message: string): EventProblem => ({ field, message })

/** 63 bits of what the sender calls the event, and of whom it is: two people's ids may be the same. */
function idOf(unit: string, eventId: string): string {
  const bits = createHash('sha256').update(`${unit}\0${eventId}`).digest().readBigUInt64BE() >> 1n
  return String(bits === 0n ? 1n : bits)
}

/** `[number, HTTP status, sentence]`. A sentence says what to change and names values in braces: `{packageName}`. */
export type ErrorRow = readonly [number: number, status: number, sentence: string]

export type RefusalDetail = Readonly<Record<string, unknown>>

/** One field of a refused input. `pointer` is a JSON pointer into the part that `in` names. */
export interface FieldError {
  in: 'body' | 'query' | 'path' | 'header'
  pointer: string
  rule: string
  message: string
  /** What the minimum or the maximum is, of a number, of characters or of entries. */
  limit?: number
}

/** The one way to say no. Thrown by `refuse`, answered as problem+json with the row's number and status. */
export class Refusal extends Error {
  readonly number: number
  readonly status: number
  readonly detail: RefusalDetail
  /** Written down where it belongs already: the server's log stays without it, whatever its status. */
  readonly isRecorded: boolean

  constructor(row: ErrorRow, detail: RefusalDetail = {}, isRecorded = false) {
    super(fillSentence(row[2], detail))
    this.name = 'Refusal'
    this.number = row[0]
    this.status = row[1]
    this.detail = detail
    this.isRecorded = isRecorded
  }
}

/** Throws the refusal of `row`; `detail` fills the sentence and travels in the answer. */
export function refuse(row: ErrorRow, detail: RefusalDetail = {}): never {
  throw new Refusal(row, detail)
}

/** Replaces `{name}` by the detail of that name; what is not there stays as written. */
export function fillSentence(sentence: string, detail: RefusalDetail): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = detail[name]
    if (value === undefined || value === null) return whole
    return (Array.isArray(value) ? value.join(', ') : String(value)).slice(0, 200)
  })
}

/** Refusals that any call may give. Service number 000. */
export const commonErrors = {
  badInput: [200000001, 400, 'Some fields are not as this call takes them; see fields for each.'],
  zoneInvalid: [204290001, 400, 'the zone Id is invalid'],
  noSession: [200000002, 401, 'getTokenInfo return null'],
  sessionExpired: [200000003, 401, 'accessToken invalid'],
  csrf: [200000004, 403, 'The CSRF header is missing or is not of this session; reload the page.'],
  notAllowed: [204160004, 403, 'This needs the permission {permission}; a team leader can grant it.'],
  calledInside: [200000016, 422, '{call} cannot be called from inside another call.'],
  outOfScope: [
    200000014,
    403,
    'Your rights here hold for some projects and apps only; this concerns the whole team, so ask a leader to do it.',
  ],
  noProvider: [200000015, 403, 'Your team serves no other team; accept the offer of one first.'],
  demoReadOnly: [204100003, 403, 'The demo project is read-only; make a project of your own to change things.'],
  notOfTeam: [200000005, 403, 'The team header does not name a team you are an active member of.'],
  teamMissing: [200000006, 400, 'The header teamId is missing; send the id of the team you act for.'],
  notFound: [204160006, 404, 'There is no {entity} {id} here.'],
  noSuchCall: [200000007, 404, 'There is no such call.'],
  stale: [204160002, 409, 'Somebody changed this meanwhile; the current revision is {revision}.'],
  idempotencyReused: [200000008, 409, 'This Idempotency-Key was used with another body; use a new key.'],
  tooLarge: [200000009, 413, 'The body is larger than {limitBytes} bytes.'],
  wrongType: [200000010, 415, 'Send {expected}.'],
  tooManyRows: [200000020, 422, 'An XLSX file has at most {limit} rows here; take CSV, or narrow the list first.'],
  stateNotAllowed: [204160001, 422, 'In state {state} this cannot be done; allowed now: {allowedActions}.'],
  tooMany: [204160007, 429, 'Too many requests; try again in {retryAfterSeconds} s.'],
  tokenInvalid: [205524993, 401, 'accessToken invalid'],
  tokenExpired: [205524994, 401, 'accessToken invalid'],
  personNeeded: [
    200000031,
    403,
    'This is for persons only; sign in to the console and do it there, an API client cannot.',
  ],
  clientLacks: [
    200000032,
    403,
    'The token does not carry {permission}; grant it to the API client and get a new token.',
  ],
  tokenZone: [
    200000033,
    403,
    'The token is for the zone {tokenZone}, this call is in {zone}; get a token for that zone.',
  ],
  internal: [200000011, 500, 'Something went wrong here; quote the request id to the operator.'],
  unavailable: [200000012, 503, 'A part this call needs does not answer; try again in {retryAfterSeconds} s.'],
  missingEngine: [200000013, 503, 'This machine lacks {engine}; install it with: {install}'],
} as const satisfies Record<string, ErrorRow>

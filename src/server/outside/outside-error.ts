const sentences = {
  address: 'must be a public http or https address without a user name or password',
  header: 'has a header that may not be set here',
  unreachable: 'did not answer: it must be a public address that answers by http or https',
  redirects: 'leads on too often, or to an address that is not public',
  tooLarge: 'answers with more bytes than are taken here',
  tooSlow: 'answers too slowly',
} as const

export type OutsideReason = keyof typeof sentences

/**
 * A request outside that was not made or not finished. The message continues `The address ...` and may be shown to
 * anybody: it is the same for a closed port, a host that is not there and one that may not be reached.
 */
export class OutsideError extends Error {
  readonly reason: OutsideReason

  constructor(reason: OutsideReason, cause?: unknown) {
    super(sentences[reason], { cause })
    this.name = 'OutsideError'
    this.reason = reason
  }
}

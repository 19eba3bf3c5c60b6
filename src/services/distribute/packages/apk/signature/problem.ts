/** Signing schemes, oldest first: JAR signing, then APK Signature Scheme v2, v3 and v3.1. */
export type Scheme = 'v1' | 'v2' | 'v3' | 'v3.1'

/** Why a signature does not verify, or a warning about one that does. */
export type SignatureProblem = { scheme: Scheme; reason: SignatureReason; detail: string }

export type SignatureReason =
  | 'no-signature'
  | 'no-manifest'
  | 'malformed'
  | 'unsupported-zip'
  | 'no-signers'
  | 'no-signatures'
  | 'no-supported-signatures'
  | 'signature-mismatch'
  | 'no-certificates'
  | 'malformed-certificate'
  | 'key-mismatch'
  | 'algorithms-mismatch'
  | 'digest-mismatch'
  | 'stripped'
  | 'sdk-range'
  | 'lineage'
  | 'signer-mismatch'
  | 'unsupported-algorithm'
  | 'entry-not-signed'
  | 'entry-missing'
  | 'scheme-required'
  | 'unknown-content'

/** Ends the verification of one signer or scheme; never leaves the signature folder. */
export class SignatureFailure extends Error {
  readonly reason: SignatureReason

  constructor(reason: SignatureReason, detail: string) {
    super(detail)
    this.name = 'SignatureFailure'
    this.reason = reason
  }
}

/** Turns a thrown failure into a problem of `scheme`; a Buffer's RangeError means a length that leads outside. */
export function problemOf(scheme: Scheme, error: unknown): SignatureProblem {
  if (error instanceof SignatureFailure) return { scheme, reason: error.reason, detail: error.message }
  if (error instanceof RangeError) return { scheme, reason: 'malformed', detail: error.message }
  throw error
}

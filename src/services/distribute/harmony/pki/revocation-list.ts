import { instant, octets, oid, sequence, small, tagged, toDer, type Value, whole } from './asn1.ts'
import { type Issuer, issuerKeyExtension, signed, subjectOf } from './certificates.ts'
import { ecdsaWithSha384 } from './names.ts'

export interface Revoked {
  /** Hex. */
  serial: string
  revokedAt: number
}

const crlNumber = '2.5.29.20'

/** A list of revoked certificates (RFC 5280, 5) in DER, signed by who issued them; good until `nextUpdate`. */
export function revocationList(
  issuer: Issuer,
  revoked: readonly Revoked[],
  times: { thisUpdate: number; nextUpdate: number },
): Buffer {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(times.thisUpdate))
  const entries: Value[] = revoked.map(({ serial, revokedAt }) =>
    sequence(whole(Buffer.from(serial, 'hex')), instant(revokedAt)),
  )
  const body = sequence(
    small(1),
    ecdsaWithSha384(),
    subjectOf(issuer.certificate),
    instant(times.thisUpdate),
    instant(times.nextUpdate),
    ...(entries.length === 0 ? [] : [sequence(...entries)]),
    tagged(0, [
      sequence(issuerKeyExtension(issuer.certificate), sequence(oid(crlNumber), octets(toDer(whole(number))))),
    ]),
  )
  return toDer(signed(body, issuer.privateKey))
}

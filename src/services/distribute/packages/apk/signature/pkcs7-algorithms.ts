const HASHES: Record<string, string> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

const RSA = '1.2.840.113549.1.1.1'
const DSA = '1.2.840.10040.4.1'
const EC = '1.2.840.10045.2.1'

/**
 * API level from which every device knows a digest with a signature algorithm; a pair that is not here is unknown to
 * some current device. Taken from OidConstants of Android's apksig.
 */
const SINCE_SDK: Record<string, Record<string, number>> = {
  md5: { [RSA]: 0, '1.2.840.113549.1.1.4': 21 },
  sha1: {
    [RSA]: 0,
    '1.2.840.113549.1.1.5': 0,
    [DSA]: 0,
    '1.2.840.10040.4.3': 9,
    [EC]: 18,
    '1.2.840.10045.4.1': 18,
  },
  sha224: {
    [RSA]: 21,
    '1.2.840.113549.1.1.14': 21,
    [DSA]: 22,
    '2.16.840.1.101.3.4.3.1': 21,
    [EC]: 21,
    '1.2.840.10045.4.3.1': 21,
  },
  sha256: {
    [RSA]: 18,
    '1.2.840.113549.1.1.11': 18,
    [DSA]: 22,
    '2.16.840.1.101.3.4.3.2': 21,
    [EC]: 18,
    '1.2.840.10045.4.3.2': 21,
  },
  sha384: { [RSA]: 18, '1.2.840.113549.1.1.12': 21, [EC]: 18, '1.2.840.10045.4.3.3': 21 },
  sha512: { [RSA]: 18, '1.2.840.113549.1.1.13': 21, [EC]: 18, '1.2.840.10045.4.3.4': 21 },
}

/** The hash a digest OID names, as OpenSSL spells it. */
export const hashOf = (digestOid: string): string | undefined => HASHES[digestOid]

/** Whether every device from `minSdk` on can verify the pair. */
export function isSupportedSince(digestOid: string, signatureOid: string, minSdk: number): boolean {
  const since = SINCE_SDK[HASHES[digestOid] ?? '']?.[signatureOid]
  return since !== undefined && minSdk >= since
}

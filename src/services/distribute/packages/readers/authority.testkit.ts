import { generateKeyPairSync } from 'node:crypto'
import forge from 'node-forge'

/** A certificate with its key, and who vouches for it. */
export interface Holder {
  privateKey: forge.pki.rsa.PrivateKey
  certificate: forge.pki.Certificate
  /** Its own certificate first, the root last. */
  chain: forge.pki.Certificate[]
  pem: string
}

export interface CertificateWish {
  commonName: string
  issuer?: Holder
  notBefore?: Date
  notAfter?: Date
  isAuthority?: boolean
  /** How many authorities may stand below it. */
  mostBelow?: number
  usage?: 'codeSigning' | 'serverAuth'
  /** Hosts it is good for. */
  names?: string[]
}

let serial = 1

/** Makes a certificate: self-signed, or issued by another holder. */
export function makeHolder({ commonName, issuer, notBefore, notAfter, ...wish }: CertificateWish): Holder {
  const isAuthority = wish.isAuthority ?? issuer === undefined
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = forge.pki.privateKeyFromPem(privateKey.export({ format: 'pem', type: 'pkcs1' }).toString())
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey.export({ format: 'pem', type: 'spki' }).toString())
  certificate.serialNumber = `0${serial++ % 9}`.padStart(8, '1')
  certificate.validity.notBefore = notBefore ?? new Date('2020-01-01')
  certificate.validity.notAfter = notAfter ?? new Date('2050-01-01')
  certificate.setSubject([{ name: 'commonName', value: commonName }])
  certificate.setIssuer(issuer ? issuer.certificate.subject.attributes : [{ name: 'commonName', value: commonName }])
  certificate.setExtensions([
    {
      name: 'basicConstraints',
      cA: isAuthority,
      critical: true,
      ...(wish.mostBelow === undefined ? {} : { pathLenConstraint: wish.mostBelow }),
    },
    { name: 'keyUsage', digitalSignature: true, keyCertSign: isAuthority, critical: true },
    ...(wish.names ? [{ name: 'subjectAltName', altNames: wish.names.map(value => ({ type: 2, value })) }] : []),
    ...(wish.usage ? [{ name: 'extKeyUsage', [wish.usage]: true }] : []),
  ])
  certificate.sign(issuer?.privateKey ?? key, forge.md.sha256.create())
  const chain = [certificate, ...(issuer?.chain ?? [])]
  return { privateKey: key, certificate, chain, pem: forge.pki.certificateToPem(certificate) }
}

/** Signed data with the content inside, as HarmonyOS profiles and signatures are. */
export function signedData(content: Buffer, signer: Holder, chain = signer.chain): Buffer {
  const signed = forge.pkcs7.createSignedData()
  signed.content = forge.util.createBuffer(content.toString('binary'))
  for (const certificate of chain) signed.addCertificate(certificate)
  const oid = forge.pki.oids as Record<string, string>
  signed.addSigner({
    key: signer.privateKey,
    certificate: signer.certificate,
    digestAlgorithm: oid['sha256'] as string,
    authenticatedAttributes: [
      { type: oid['contentType'] as string, value: oid['data'] as string },
      { type: oid['messageDigest'] as string },
    ],
  })
  signed.sign()
  return Buffer.from(forge.asn1.toDer(signed.toAsn1()).getBytes(), 'binary')
}

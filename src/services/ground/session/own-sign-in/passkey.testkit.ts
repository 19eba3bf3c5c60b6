import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { Stage } from '../../../../testkit/stage.ts'

const origin = 'http://localhost:8080'

/** A passkey of an account as an authenticator holds one, put straight into the database; answers any challenge. */
export async function putPasskey(stage: Stage, accountId: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const half = (text: string) => Buffer.concat([Buffer.from([0x58, 0x20]), Buffer.from(text, 'base64url')])
  // A COSE key: EC2, ES256, P-256, x and y.
  const cose = Buffer.concat([
    Buffer.from('a5010203262001', 'hex'),
    Buffer.from([0x21]),
    half(x),
    Buffer.from([0x22]),
    half(y),
  ])
  const id = randomBytes(16).toString('base64url')
  await stage.sql(
    'home',
    `INSERT INTO passkeys (credential_id, account_id, public_key, name, created_at) VALUES ($1, $2, $3, 'Key', 1)`,
    [id, accountId, cose.toString('base64url')],
  )
  return (challenge: string) => {
    const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }))
    const party = createHash('sha256').update(new URL(origin).hostname).digest()
    // The person was there and was verified; no counter.
    const data = Buffer.concat([party, Buffer.from([0x05, 0, 0, 0, 0])])
    const signature = sign('sha256', Buffer.concat([data, createHash('sha256').update(client).digest()]), privateKey)
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    }
  }
}

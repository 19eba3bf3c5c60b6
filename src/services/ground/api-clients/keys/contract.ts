import { service } from '../../../../kernel/contract.ts'
import { flag, Id, Instant, list, oneOf, optional, shape, Type, text } from '../../../../kernel/shape.ts'
import { ClientQuery, errors, Name, permissions } from '../contract.ts'

export const PublicKey = shape({
  keyId: Id,
  clientId: Id,
  /** The thumbprint; goes into the header `kid` of what the client signs. */
  kid: text(64),
  name: Name,
  algorithm: oneOf(['ES256', 'ES384', 'RS256', 'EdDSA']),
  publicJwk: Type.Record(Type.String(), Type.String()),
  isMadeHere: flag(),
  createdAt: Instant,
})

const Keys = shape({ list: list(PublicKey) })

export const clientKeyCalls = service({
  name: 'ground/api-clients',
  prefix: '/aps/api-permission-service/v1',
  zone: 'home',
  permissions,
  errors,
  calls: {
    listKeyPairs: {
      method: 'GET',
      path: '/key-pair',
      who: 'cp',
      may: 'apiClients.read',
      summary: 'The public halves of the pairs that were made here for a client',
      query: shape(ClientQuery),
      answer: Keys,
    },
    createKeyPair: {
      method: 'POST',
      path: '/key-pair',
      who: 'cp',
      may: 'apiClients.edit',
      transaction: false,
      summary: 'Makes a key pair for a client; the private half is told once and kept nowhere',
      body: shape({ clientId: Id, name: Name, algorithm: optional(oneOf(['ES256', 'RS256'])) }),
      answer: shape({
        key: PublicKey,
        /** What the client reads from its file. */
        credential: shape({
          clientId: text(20),
          kid: text(64),
          algorithm: text(10),
          privateKey: text(4_000),
          issuer: text(300),
          tokenUri: text(300),
        }),
      }),
    },
    listPublicKeys: {
      method: 'GET',
      path: '/key-public',
      who: 'cp',
      may: 'apiClients.read',
      summary: 'The public keys that were registered for a client',
      query: shape(ClientQuery),
      answer: Keys,
    },
    registerPublicKey: {
      method: 'POST',
      path: '/key-public',
      who: 'cp',
      may: 'apiClients.edit',
      summary: 'Registers a public key of a client, as PEM or as a JWK; the private half never leaves its owner',
      body: shape({ clientId: Id, name: Name, publicKey: text(8_000, 1) }),
      answer: PublicKey,
    },
    deleteKey: {
      method: 'DELETE',
      path: '/key-public',
      who: 'cp',
      may: 'apiClients.edit',
      summary: 'Deletes a key of a client, made here or registered; what it signs is refused from now on',
      query: shape({ clientId: Id, keyId: Id }),
    },
  },
})

import { service } from '../../../../kernel/contract.ts'
import { flag, Id, Instant, list, oneOf, shape, text } from '../../../../kernel/shape.ts'
import { zoneIds } from '../../../../kernel/zones.ts'
import { errors, permissions } from '../contract.ts'

const Credential = shape({
  credentialId: Id,
  projectId: Id,
  zone: oneOf(zoneIds),
  isRevoked: flag(),
  createdAt: Instant,
  expiresAt: Instant,
})

export const debugCredentials = service({
  name: 'ground/api-clients',
  prefix: '/aps/api-permission-service/v1',
  zone: 'home',
  permissions,
  errors,
  calls: {
    getDebugCredential: {
      method: 'GET',
      path: '/debug/credential',
      who: 'cp',
      may: 'apiClients.own',
      summary: 'One own debug credential',
      query: shape({ credentialId: Id }),
      answer: Credential,
    },
    createDebugCredential: {
      method: 'POST',
      path: '/debug/credential',
      who: 'cp',
      may: 'apiClients.own',
      transaction: false,
      summary: 'A token for ten minutes and one project, with a mark that it is for debugging; told once',
      body: shape({ projectId: Id }),
      answer: shape({ credential: Credential, accessToken: text(4_000), watermark: text(40) }),
    },
    revokeDebugCredential: {
      method: 'DELETE',
      path: '/debug/credential',
      who: 'cp',
      may: 'apiClients.own',
      summary: 'Ends an own debug credential within a second',
      query: shape({ credentialId: Id }),
    },
    listDebugCredentials: {
      method: 'GET',
      path: '/debug/credential/list',
      who: 'cp',
      may: 'apiClients.own',
      summary: 'Own debug credentials that have not run out, the newest first',
      answer: shape({ list: list(Credential) }),
    },
  },
})

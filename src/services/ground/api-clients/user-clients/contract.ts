import { service } from '../../../../kernel/contract.ts'
import { pageOf, shape } from '../../../../kernel/shape.ts'
import {
  ChangedClient,
  Client,
  ClientQuery,
  errors,
  ListQuery,
  NewClient,
  permissions,
  WithSecret,
} from '../contract.ts'

export const userClients = service({
  name: 'ground/api-clients',
  prefix: '/aps/api-permission-service/v1',
  zone: 'home',
  permissions,
  errors,
  calls: {
    listUserClients: {
      method: 'GET',
      path: '/user-client-list',
      who: 'cp',
      may: 'apiClients.own',
      summary: 'Own clients in this team: what they do is done as oneself',
      query: ListQuery,
      answer: pageOf(Client),
    },
    getUserClient: {
      method: 'GET',
      path: '/user-client',
      who: 'cp',
      may: 'apiClients.own',
      summary: 'One own client',
      query: shape(ClientQuery),
      answer: Client,
    },
    createUserClient: {
      method: 'POST',
      path: '/user-client',
      who: 'cp',
      may: 'apiClients.own',
      transaction: false,
      summary: 'Makes a client that acts as oneself; the secret is told once',
      body: NewClient,
      answer: WithSecret,
    },
    updateUserClient: {
      method: 'PUT',
      path: '/user-client',
      who: 'cp',
      may: 'apiClients.own',
      transaction: false,
      summary: 'Changes an own client: its rights, its state, its secret',
      body: ChangedClient,
      answer: WithSecret,
    },
    deleteUserClient: {
      method: 'DELETE',
      path: '/user-client',
      who: 'cp',
      may: 'apiClients.own',
      summary: 'Deletes an own client; its tokens end within a second',
      query: shape(ClientQuery),
    },
  },
})

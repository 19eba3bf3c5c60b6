import { implement } from '../../../../server/implement.ts'
import { changeClient, createClient, removeClient } from '../making.ts'
import { clientOf, listClients, toClient } from '../queries.ts'
import { userClients } from './contract.ts'

export default implement(userClients, {
  listUserClients: (ctx, { query }) => listClients(ctx, 'user', query),
  getUserClient: async (ctx, { query }) => toClient(ctx, await clientOf(ctx, 'user', query.clientId)),
  createUserClient: (ctx, { body }) => createClient(ctx, 'user', body),
  updateUserClient: (ctx, { body }) => changeClient(ctx, 'user', body),
  deleteUserClient: (ctx, { query }) => removeClient(ctx, 'user', query.clientId),
})

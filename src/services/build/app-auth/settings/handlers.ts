import { implement } from '../../../../server/implement.ts'
import { productRow, projectHere } from '../product.ts'
import { authSettings } from './contract.ts'
import { methodsOf, removeMethod, setMethod } from './methods.ts'
import { getHost, listMessages, putHost, putProduct, smsUsage, toProduct } from './product-handlers.ts'
import { quickLoginsOf, setQuickLogin } from './quick-logins.ts'
import { putTemplate, templatesOf, testSms, testTemplate } from './templates.ts'

export default implement(authSettings, {
  getProduct: async (ctx, { query }) => {
    const { projectId } = await projectHere(ctx, query.projectId)
    return toProduct(ctx, projectId, await productRow(ctx, projectId))
  },
  putProduct: (ctx, { body }) => putProduct(ctx, body),
  listMethods: async (ctx, { query }) => ({ list: await methodsOf(ctx, query.projectId) }),
  createMethod: (ctx, { body }) => setMethod(ctx, body),
  updateMethod: (ctx, { body }) => setMethod(ctx, body),
  deleteMethod: (ctx, { query }) => removeMethod(ctx, query.projectId, query.provider),
  getHost: (ctx, { query }) => getHost(ctx, query.projectId),
  createHost: (ctx, { body }) => putHost(ctx, body),
  updateHost: (ctx, { body }) => putHost(ctx, body),
  listTemplates: async (ctx, { query }) => ({ list: await templatesOf(ctx, query.projectId) }),
  putTemplate: (ctx, { body }) => putTemplate(ctx, body),
  testTemplate: (ctx, { body }) => testTemplate(ctx, body),
  getSmsUsage: (ctx, { query }) => smsUsage(ctx, query),
  listMessages: (ctx, { query }) => listMessages(ctx, query),
  testSms: (ctx, { body }) => testSms(ctx, body),
  listQuickLogins: async (ctx, { query }) => ({ list: await quickLoginsOf(ctx, query.projectId) }),
  createQuickLogin: (ctx, { body }) => setQuickLogin(ctx, body),
  updateQuickLogin: (ctx, { body }) => setQuickLogin(ctx, body),
})

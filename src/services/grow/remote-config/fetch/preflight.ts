import type { Download } from '../../../../server/implement.ts'

/** What pages of any origin are told before they ask for values: no cookie is ever taken, so all of them may. */
export const preflight: Download = {
  status: 204,
  headers: {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': 'authorization, content-type, if-none-match, productid, x-api-key',
    'access-control-max-age': 86_400,
  },
  body: null,
}

import type { SimulatedBody } from '../../contract.ts'
import type { Service } from '../rules-calls.ts'

/** The fields of the simulator; JSON as it is typed. */
export interface Wish {
  method: SimulatedBody['method']
  path: string
  isSignedIn: boolean
  uid: string
  isAnonymous: boolean
  token: string
  resource: string
  requestResource: string
  query: string
  useLiveData: boolean
}

const samples: Record<Service, Pick<Wish, 'path' | 'resource' | 'requestResource'>> = {
  'agc.cloud.storage': {
    path: '/bucket/users/u1/photo.png',
    resource: '{\n  "contentType": "image/png",\n  "size": 2048,\n  "owner": "u1"\n}',
    requestResource: '{\n  "contentType": "image/png",\n  "size": 2048\n}',
  },
  'agc.cloud.db': {
    path: '/main/Post/1',
    resource: '{\n  "data": { "author": "u1" },\n  "creator": "u1"\n}',
    requestResource: '{\n  "data": { "author": "u1" }\n}',
  },
  'agc.lowcode': {
    path: '/app/model/1',
    resource: '{\n  "data": {}\n}',
    requestResource: '{\n  "data": {}\n}',
  },
}

export function firstWish(service: Service): Wish {
  return {
    ...samples[service],
    method: 'get',
    isSignedIn: true,
    uid: 'u1',
    isAnonymous: false,
    token: '{}',
    query: '{\n  "limit": 20\n}',
    useLiveData: false,
  }
}

type Body = Omit<SimulatedBody, 'projectId' | 'service' | 'source'>
type JsonField = 'token' | 'resource' | 'requestResource' | 'query'

/** What the call takes; or which field is no JSON. */
export function parsedWish(wish: Wish): { body: Body; fault: null } | { body: null; fault: JsonField } {
  const { method, path, isSignedIn, uid, isAnonymous, useLiveData } = wish
  const read = (field: JsonField) => JSON.parse(wish[field].trim() || 'null') as Record<string, unknown> | null
  const isWrite = method === 'create' || method === 'update'
  const hasRow = method !== 'create' && method !== 'list'
  let at: JsonField = 'token'
  try {
    const token = isSignedIn ? read(at) : null
    at = 'resource'
    const resource = hasRow && !useLiveData ? read(at) : null
    at = 'requestResource'
    const requestResource = isWrite ? read(at) : null
    at = 'query'
    const query = method === 'list' ? read(at) : null
    const auth = isSignedIn ? { uid, anonymous: isAnonymous, token } : null
    const body = { method, path, auth, resource, requestResource, query, useLiveData: hasRow && useLiveData }
    return { body, fault: null }
  } catch {
    return { body: null, fault: at }
  }
}

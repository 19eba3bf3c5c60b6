import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  Revision,
  type Static,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { errors, permissions } from '../contract.ts'
import { limits } from '../rules.ts'

const fields = {
  moment: oneOf(['BEFORE_CREATE', 'BEFORE_SIGN_IN']),
  url: text(1000, 8),
  timeoutMs: integer(200, limits.hookMs),
  onFailure: oneOf(['ALLOW', 'DENY']),
  enabled: flag(),
}

const Hook = shape({
  hookId: Id,
  ...fields,
  calls: integer(0, 1e12),
  failures: integer(0, 1e12),
  lastAt: nullable(Instant),
  lastOutcome: nullable(text(300)),
  revision: Revision,
})
const Shown = shape({ hook: Hook, secret: nullable(text(100)) })

/** What the team’s own server is asked before somebody becomes a user or signs in. */
export const authHookCalls = service({
  name: 'build/app-auth',
  prefix: '/tas/third-auth-service/v1',
  zone: 'current',
  permissions,
  errors,
  calls: {
    listHooks: {
      method: 'GET',
      path: '/auth-hook',
      who: 'cp',
      may: 'appAuth.read',
      summary: 'The hooks of a project',
      query: shape({ projectId: Id }),
      answer: shape({ list: list(Hook) }),
    },
    createHook: {
      method: 'POST',
      path: '/auth-hook',
      who: 'cp',
      may: 'appAuth.edit',
      summary: 'Adds a hook; its secret is told once',
      body: shape({ projectId: Id, ...fields }),
      answer: Shown,
    },
    updateHook: {
      method: 'PUT',
      path: '/auth-hook',
      who: 'cp',
      may: 'appAuth.edit',
      summary: 'Changes a hook; another address gets a new secret',
      body: shape({ projectId: Id, hookId: Id, ...fields, revision: Revision }),
      answer: Shown,
    },
    deleteHook: {
      method: 'DELETE',
      path: '/auth-hook',
      who: 'cp',
      may: 'appAuth.edit',
      summary: 'Deletes a hook',
      query: shape({ projectId: Id, hookId: Id }),
    },
    testHook: {
      method: 'POST',
      path: '/auth-hook/test',
      who: 'cp',
      may: 'appAuth.edit',
      transaction: false,
      summary: 'Asks a hook about a made-up user and tells what it answered',
      body: shape({ projectId: Id, hookId: Id }),
      answer: shape({ outcome: oneOf(['ALLOWED', 'DENIED', 'FAILED']), message: text(300) }),
    },
  },
})

export type HookView = Static<typeof Hook>

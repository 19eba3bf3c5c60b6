import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  type Static,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { errors, permissions } from '../contract.ts'
import { hashAlgorithms, limits } from '../rules.ts'

const Count = integer(0, 100_000_000)

export const ImportedUser = shape({
  /** Kept for the team’s own rows; the uid here is a new one. */
  importUid: optional(text(128, 1)),
  email: optional(text(254)),
  emailVerified: optional(flag()),
  phone: optional(text(40)),
  displayName: optional(text(100)),
  photoUrl: optional(text(1000)),
  disabled: optional(flag()),
  passwordHash: optional(text(1024)),
  salt: optional(text(512)),
  claims: optional(Type.Record(text(100, 1), Type.Unknown(), { maxProperties: 50 })),
  createTime: optional(Instant),
  lastSignInTime: optional(Instant),
  providers: optional(
    Type.Array(shape({ provider: integer(1, 99), issuer: text(400, 1), openId: text(255, 1) }), { maxItems: 10 }),
  ),
})

const Hash = shape({
  algorithm: oneOf(hashAlgorithms),
  /** base64; of HMAC, or the signer key of SCRYPT. */
  key: optional(text(4096)),
  rounds: optional(integer(1, 2_000_000)),
  memoryCost: optional(integer(1, 1_048_576)),
  parallelization: optional(integer(1, 16)),
  blockSize: optional(integer(1, 64)),
  keyLength: optional(integer(8, 512)),
  saltSeparator: optional(text(64)),
  order: optional(oneOf(['SALT_FIRST', 'PASSWORD_FIRST'])),
  encoding: optional(oneOf(['BASE64', 'HEX'])),
})

const Import = shape({
  importId: Id,
  state: oneOf(['FILLING', 'RUNNING', 'DONE', 'FAILED']),
  isDryRun: flag(),
  onConflict: oneOf(['SKIP', 'FAIL', 'MERGE']),
  total: Count,
  doneRows: Count,
  made: Count,
  merged: Count,
  failed: Count,
  jobId: nullable(Id),
  createdAt: Instant,
  endedAt: nullable(Instant),
})

const Failure = shape({ index: Count, code: text(40), msg: text(300) })

export const userImports = service({
  name: 'build/app-auth',
  prefix: '/tas/tas-user-service/v1',
  zone: 'current',
  permissions,
  errors,
  calls: {
    importUsers: {
      method: 'POST',
      path: '/cp/user/import',
      who: 'cp',
      may: 'appAuth.users',
      bodyLimit: 8 * 1024 * 1024,
      summary: 'Takes up to 1000 users in at once, or a part of a larger import; passwords come as hashes',
      body: shape({
        projectId: Id,
        /** A further part of an import that is being filled. */
        importId: optional(Id),
        users: Type.Array(ImportedUser, { minItems: 1, maxItems: limits.importRows }),
        /** How the passwords are hashed; a further part may name another way, which holds for its own rows. */
        hash: optional(Hash),
        onConflict: optional(oneOf(['SKIP', 'FAIL', 'MERGE'])),
        dryRun: optional(flag()),
        /** More parts come: nothing is made until the last one. */
        more: optional(flag()),
      }),
      answer: shape({ import: Import, success: Count, failures: list(Failure) }),
    },
    getImport: {
      method: 'GET',
      path: '/cp/user/import',
      who: 'cp',
      may: 'appAuth.users',
      summary: 'How far an import is, and which rows were not taken',
      query: shape({ projectId: Id, importId: Id, ...PageQuery }),
      answer: shape({ import: Import, ...pageOf(Failure).properties }),
    },
    listImports: {
      method: 'GET',
      path: '/cp/user/imports',
      who: 'cp',
      may: 'appAuth.users',
      summary: 'The imports of a project, the newest first',
      query: shape({ projectId: Id, ...PageQuery }),
      answer: pageOf(Import),
    },
  },
})

export type ImportView = Static<typeof Import>
export type ImportedUserRow = Static<typeof ImportedUser>

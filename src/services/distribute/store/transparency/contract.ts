import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  list,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  pattern,
  shape,
  Type,
} from '../../../../kernel/shape.ts'

const Sha256 = pattern('^[0-9a-f]{64}$', 64, 'a40da80a59d170caa950cf15c18c454d47a39b26989d8b640ecd745ba71bf5dc')
const Hash = Type.String()
const Size = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const Entry = shape({
  position: Size,
  versionId: Id,
  packageName: Type.String(),
  versionCode: Type.String(),
  sha256: Sha256,
  signer: Type.String(),
  at: Instant,
})

const Head = shape({
  size: Size,
  /** Hex. */
  root: Hash,
  at: Instant,
  /** The signed note: text, a blank line, the signature. */
  checkpoint: Type.String(),
})

const anyone = { method: 'GET', who: 'anonymous', may: 'none', rate: 'device' } as const

/** The log of releases: every package that ever went on the shelf, in a tree as RFC 6962 builds it. */
export const transparency = service({
  name: 'distribute/store',
  prefix: '/store/transparency/v1',
  zone: 'home',
  permissions: [],
  errors: {
    noSuchSize: [202050001, 422, 'No signed state of the log has {asked} lines; the newest has {size}.'],
    wrongOrder: [202050002, 422, 'The older tree ({first}) must not be larger than the newer one ({second}).'],
  },
  calls: {
    getLogHead: {
      ...anyone,
      path: '/head',
      summary: 'The newest signed state of the log and the key that signs it',
      answer: shape({ ...Head.properties, origin: Type.String(), publicKey: Type.String() }),
    },
    listLogEntries: {
      ...anyone,
      path: '/entries',
      summary: 'The lines of the log, the oldest or the newest first',
      query: shape({
        packageName: optional(Type.String({ minLength: 1, maxLength: 255 })),
        order: optional(oneOf(['oldest', 'newest'])),
        ...PageQuery,
      }),
      answer: pageOf(Entry),
    },
    proveInclusion: {
      ...anyone,
      path: '/inclusion',
      summary: 'Proves that a package of this digest is in the log; an empty list says it is not',
      query: shape({ sha256: Sha256, treeSize: optional(Size) }),
      answer: shape({
        head: Head,
        list: list(shape({ entry: Entry, leafHash: Hash, proof: list(Hash) })),
      }),
    },
    proveConsistency: {
      ...anyone,
      path: '/consistency',
      summary: 'Proves that the log of one size begins with the log of a smaller one',
      query: shape({ first: Size, second: Size }),
      answer: shape({ first: Size, second: Size, proof: list(Hash) }),
    },
  },
})

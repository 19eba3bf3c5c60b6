import { flag, integer, list, nullable, optional, shape, Type, text } from '../../../../kernel/shape.ts'

const Bytes = Type.Integer({ minimum: 0 })
const Digest = text(64)
const Installable = shape({ fileName: text(255), objectId: text(200, 1), sizeBytes: Bytes, sha256: Digest })

/** What only packages of one kind have. */
const Details = shape({
  bundle: optional(shape({ madeBy: text(500) })),
  harmony: optional(
    shape({
      bundleType: text(500),
      apiReleaseType: text(500),
      buildVersion: text(500),
      profile: nullable(
        shape({
          type: text(500),
          bundleName: text(500),
          developerId: text(500),
          notBefore: Type.Number(),
          notAfter: Type.Number(),
          distribution: text(500),
          acls: list(text(500)),
          restrictedPermissions: list(text(500)),
          deviceCount: Bytes,
        }),
      ),
    }),
  ),
  quickApp: optional(
    shape({
      minPlatformVersion: nullable(Type.Number()),
      entry: text(500),
      appType: text(500),
      address: nullable(text(2000)),
    }),
  ),
  site: optional(
    shape({
      index: text(500),
      startUrl: text(500),
      files: Bytes,
      expandedBytes: Bytes,
      manifest: nullable(text(500)),
    }),
  ),
  program: optional(
    shape({
      machine: text(20),
      bits: integer(0, 64),
      subsystem: text(20),
      product: text(500),
      company: text(500),
      description: text(500),
      linkedAt: nullable(Bytes),
      isTimestamped: flag(),
    }),
  ),
  expansion: optional(shape({ slot: text(10), versionCode: text(20), packageName: text(500) })),
})

/** What the bytes of a package say. */
export const Content = shape({
  labels: Type.Record(Type.String(), Type.String()),
  minSdk: nullable(Type.Integer()),
  targetSdk: nullable(Type.Integer()),
  compileSdk: nullable(Type.Integer()),
  abis: list(text(40)),
  permissions: list(shape({ name: text(500), maxSdk: optional(Type.Integer()) })),
  features: list(shape({ name: text(500), isRequired: flag() })),
  signers: list(Digest),
  lineage: list(Digest),
  certificates: list(
    shape({
      scheme: text(10),
      certSha256: Digest,
      certSha1: Digest,
      certMd5: Digest,
      subject: text(2000),
      serial: text(200),
      notBefore: Type.Integer(),
      notAfter: Type.Integer(),
      keyAlgorithm: text(40),
      keyBits: nullable(Type.Integer()),
      modulusHex: optional(text(5000)),
    }),
  ),
  signatureSchemes: list(text(10)),
  dexCount: Bytes,
  folders: list(shape({ folder: text(500), files: Bytes, compressedBytes: Bytes, expandedBytes: Bytes })),
  deviceTypes: list(text(500)),
  languages: list(text(500)),
  modules: list(
    shape({
      name: text(500),
      type: text(500),
      sizeBytes: Bytes,
      deviceTypes: optional(list(text(500))),
      delivery: optional(text(500)),
    }),
  ),
  components: list(shape({ kind: text(20), name: text(500), isExported: flag() })),
  sdks: list(shape({ name: text(100), provider: text(100), version: nullable(text(100)) })),
  nativeLibraries: list(shape({ path: text(500), abi: text(500), sizeBytes: Bytes })),
  details: Details,
  hasPrivacyManifest: optional(flag()),
  /** Made of a bundle for devices; null where they install the upload itself, or where none could be made. */
  installable: nullable(Installable),
  uploadSigners: list(Digest),
})

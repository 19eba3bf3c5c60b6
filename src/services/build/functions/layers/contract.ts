import { type CallSpec, service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  pattern,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { ObjectId, Sha256 } from '../../../ground/files/contract.ts'
import { functionErrors } from '../contract.ts'
import { codeRuntimeIds, limits } from '../rules.ts'
import { layerLimits, layerNamePattern, layerScopes } from './rules.ts'

const read = { who: 'cp', may: 'functions.read' } as const satisfies Partial<CallSpec>
const edit = { who: 'cp', may: 'functions.edit' } as const satisfies Partial<CallSpec>
const Name = pattern(layerNamePattern, 63, 'picture-tools')
const Bytes = integer(0, Number.MAX_SAFE_INTEGER)
const VersionNumber = integer(1, 1_000_000)

const LayerVersion = shape({
  urn: text(120),
  number: VersionNumber,
  description: text(layerLimits.description),
  digest: Sha256,
  sizeBytes: Bytes,
  unpackedBytes: Bytes,
  createdAt: Instant,
})

const Layer = shape({
  layerId: Id,
  projectId: Id,
  name: text(63),
  scope: oneOf(layerScopes),
  description: text(layerLimits.description),
  runtimes: list(oneOf(codeRuntimeIds)),
  newest: nullable(LayerVersion),
  /** Functions that use one of its versions now, or in a published version. */
  usedBy: Bytes,
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})

const Package = { fileKey: ObjectId, description: optional(text(layerLimits.description)) }

/** Packages that functions share: uploaded once, mounted under `/opt`. */
export const functionLayers = service({
  name: 'build/functions',
  prefix: '/fgs/ide-service/v1',
  zone: 'current',
  permissions: ['functions.read', 'functions.edit'],
  errors: {
    badPackage: functionErrors.badPackage,
    tooLarge: functionErrors.tooLarge,
    inUse: [210412003, 412, 'It is used by {users}; choose another version of the layer there first.'],
    tooMany: functionErrors.tooMany,
    noLayer: [210404004, 404, 'There is no version {number} of the layer {layer} that this project may use.'],
    wrongRuntime: [210400019, 400, 'The layer {layer} is for {runtimes}, and the function for {runtime}.'],
    layersTooLarge: [
      210413005,
      413,
      'Code and layers have {bytes} bytes together when they are unpacked; at most {limit} may be.',
    ],
  },
  calls: {
    listLayers: {
      ...read,
      method: 'GET',
      path: '/layers',
      summary: 'Layers that functions of a project may use, the newest first',
      query: shape({ projectId: Id, keyword: optional(text(63)), ...PageQuery }),
      answer: pageOf(Layer),
    },
    createLayer: {
      ...edit,
      method: 'POST',
      path: '/layers',
      transaction: false,
      summary: 'A new layer from an uploaded package; of a name that is there, its next version',
      body: shape({
        projectId: Id,
        name: Name,
        scope: optional(oneOf(layerScopes)),
        runtimes: optional(list(oneOf(codeRuntimeIds), { minItems: 1, maxItems: 10 })),
        ...Package,
      }),
      answer: shape({ layer: Layer, version: LayerVersion }),
    },
    deleteLayer: {
      ...edit,
      method: 'DELETE',
      path: '/layers/:name',
      summary: 'Takes a layer away with all its versions; refused while one is used',
      params: shape({ name: Name }),
      query: shape({ projectId: Id }),
    },
    listLayerVersions: {
      ...read,
      method: 'GET',
      path: '/layers/:name/versions',
      summary: 'Versions of a layer, the newest first',
      params: shape({ name: Name }),
      query: shape({ projectId: Id }),
      answer: shape({ total: Bytes, list: list(LayerVersion), nextCursor: nullable(text(20)) }),
    },
    createLayerVersion: {
      ...edit,
      method: 'POST',
      path: '/layers/:name/versions',
      transaction: false,
      summary: 'The next version of a layer; a package that is the newest already stays that version',
      params: shape({ name: Name }),
      query: shape({ projectId: Id }),
      body: shape(Package),
      answer: shape({ layer: Layer, version: LayerVersion }),
    },
    getLayerVersion: {
      ...read,
      method: 'GET',
      path: '/layers/:layerId/versions/:number',
      summary: 'One version of a layer and what uses it',
      params: shape({ layerId: Id, number: VersionNumber }),
      answer: shape({ version: LayerVersion, users: list(text(100)) }),
    },
    deleteLayerVersion: {
      ...edit,
      method: 'DELETE',
      path: '/layers/:layerId/versions/:number',
      summary: 'Takes a version of a layer away; refused while it is used',
      params: shape({ layerId: Id, number: VersionNumber }),
    },
    makeUpload: {
      ...edit,
      method: 'POST',
      path: '/storage/tmpfile',
      transaction: false,
      summary: 'An address to send a package to; its key then names it',
      body: shape({ fileName: text(255, 1), size: integer(1, limits.zipBytes), sha256: optional(Sha256) }),
      answer: shape({
        fileKey: ObjectId,
        uploadUrl: text(2000),
        method: oneOf(['PUT']),
        headers: Type.Record(Type.String(), Type.String()),
        expiresIn: integer(0, 86_400),
      }),
    },
  },
})

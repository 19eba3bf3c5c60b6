import { service } from '../../../../kernel/contract.ts'
import { flag, Id, oneOf, optional, shape, Type, text } from '../../../../kernel/shape.ts'
import { limits } from '../schema/rules.ts'

export const fileFormats = ['JSON', 'NDJSON', 'CSV'] as const
export const importModes = ['UPSERT', 'INSERT', 'REPLACE'] as const

export const leastPassphrase = 8
/** The largest file as base64. */
const importLength = Math.ceil(limits.importBytes / 3) * 4

export const cloudDbTransfer = service({
  name: 'build/cloud-db',
  prefix: '/clouddb/v1',
  zone: 'current',
  permissions: ['cloudDb.data'],
  errors: {
    exportNothing: [4030001, 422, 'Name at least one data zone and one object type to export.'],
    importUnreadable: [204042001, 422, 'The file cannot be read as {format}: {reason}.'],
    importTooLarge: [204042007, 413, 'A file to import has at most {limitBytes} bytes; import it in parts.'],
    importPlace: [204042002, 422, 'The file does not say where its rows belong; name a data zone and an object type.'],
    noFile: [204042003, 404, 'This process has no file {objectId}.'],
    passphraseNeeded: [
      204042004,
      422,
      'An encrypted file needs a passphrase; send one of at least {least} characters.',
    ],
    notSealed: [204042005, 422, 'This is no encrypted file of a cloud database; send it without a passphrase.'],
    wrongPassphrase: [204042006, 422, 'The passphrase does not open this file, or the file was changed or cut.'],
  },
  calls: {
    exportFile: {
      method: 'POST',
      path: '/exportFile',
      who: 'cp',
      may: 'cloudDb.data',
      summary: 'Writes the rows of types and zones into files, one for each',
      body: shape({
        projectId: Id,
        zones: Type.Array(text(60, 1), { maxItems: limits.zones }),
        types: Type.Array(text(60, 1), { maxItems: 200 }),
        format: oneOf([...fileFormats]),
        conditions: optional(Type.Array(Type.Unknown())),
        /** AES-256-GCM with a key of the passphrase, which is kept nowhere. */
        encrypt: optional(flag()),
        passphrase: optional(text(200)),
      }),
      answer: shape({ processId: Id }),
    },
    importFile: {
      method: 'POST',
      path: '/importFile',
      who: 'cp',
      may: 'cloudDb.data',
      transaction: false,
      bodyLimit: importLength + 1_048_576,
      summary: 'Reads rows from a file; what cannot be read is reported by row and the rest goes on',
      body: shape({
        projectId: Id,
        format: oneOf([...fileFormats]),
        mode: oneOf([...importModes]),
        /** Text; of an encrypted file, which comes with its passphrase, base64. */
        content: Type.String({ minLength: 1, maxLength: importLength }),
        passphrase: optional(text(200)),
        fileName: optional(text(200)),
        /** Of NDJSON and CSV; JSON says it itself. */
        cloudDBZoneName: optional(text(60)),
        objectTypeName: optional(text(60)),
        dryRun: optional(flag()),
      }),
      answer: shape({ processId: Id }),
    },
    getProcessFile: {
      method: 'GET',
      path: '/processFile',
      who: 'cp',
      may: 'cloudDb.data',
      kind: 'download',
      summary: 'A file that an export made',
      query: shape({ projectId: Id, processId: Id, objectId: text(200, 1) }),
    },
  },
})

export type FileFormat = (typeof fileFormats)[number]
export type ImportMode = (typeof importModes)[number]

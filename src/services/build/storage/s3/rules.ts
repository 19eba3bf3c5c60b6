import type { RefusalForm } from '../../../../kernel/contract.ts'
import { commonErrors, type ErrorRow } from '../../../../kernel/errors.ts'
import { storageErrors } from '../contract.ts'

/** Refusals that only S3 has. */
export const s3Errors = {
  accessDenied: [204030101, 403, 'Access denied: {reason}.'],
  unknownKey: [204030102, 403, 'There is no access key {accessKeyId}, or it has ended.'],
  wrongSignature: [
    204030103,
    403,
    'The signature is not that of this request with this key. Check the secret, the region and the host.',
  ],
  skewed: [204030104, 403, 'The request was signed at {at}; the clock here is more than 15 minutes away.'],
  expired: [204030105, 403, 'The signed address ended at {at}.'],
  malformed: [204030106, 400, 'The authorization cannot be read: {reason}.'],
  badXml: [204030107, 400, 'The body is not the XML that this call takes: {reason}.'],
  badArgument: [204030108, 400, '{name} is {value}; {expected}.'],
  noUpload: [204030109, 404, 'There is no open upload {uploadId}.'],
  badPart: [204030110, 400, 'Part {partNumber} is not there, or is another one than named.'],
  badOrder: [204030111, 400, 'The parts must be named in the order of their numbers.'],
  tooSmall: [204030112, 400, 'Part {partNumber} has {sizeBytes} bytes; each but the last has at least {limit}.'],
  noCors: [204030113, 404, 'The bucket has no CORS rules.'],
  notHere: [204030114, 501, 'This server does not do {operation}.'],
  yours: [204030115, 409, 'The bucket {bucket} is yours already.'],
  noRange: [204030116, 416, 'The source has only {sizeBytes} bytes.'],
  chunkWrong: [204030117, 403, 'A chunk of the body is not as it was signed.'],
  bodyCut: [204030118, 400, 'The body ended before all of its chunks were in.'],
  noVersion: [204030119, 404, 'There is no version {versionId} of this file.'],
  isMarker: [204030120, 405, 'The version {versionId} says that the file was deleted; it has no bytes.'],
} as const satisfies Record<string, ErrorRow>

export const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'

type Value = string | number | boolean | null | undefined | Fields | readonly Value[]
interface Fields {
  [name: string]: Value
}

/** An element with its children; a list is the element as often. What is undefined is left out. */
export function element(name: string, value: Value, attributes = ''): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return (value as readonly Value[]).map(one => element(name, one)).join('')
  const open = `<${name}${attributes}>`
  if (value === null) return `${open}</${name}>`
  if (typeof value !== 'object') return `${open}${escaped(String(value))}</${name}>`
  const children = Object.entries(value as Fields).map(([child, one]) => element(child, one))
  return `${open}${children.join('')}</${name}>`
}

/** A whole answer. */
export function document(name: string, value: Fields): string {
  return xmlHead + element(name, value, ` xmlns="${namespace}"`)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no way to write them
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

function escaped(text: string): string {
  return text.replace(unwritable, '\ufffd').replace(/[&<>"'\r]/g, one => `&#${one.charCodeAt(0)};`)
}

/** What clients of S3 look at. */
const codes: Readonly<Record<number, readonly [code: string, status?: number]>> = {
  [s3Errors.accessDenied[0]]: ['AccessDenied'],
  [s3Errors.unknownKey[0]]: ['InvalidAccessKeyId'],
  [s3Errors.wrongSignature[0]]: ['SignatureDoesNotMatch'],
  [s3Errors.skewed[0]]: ['RequestTimeTooSkewed'],
  [s3Errors.expired[0]]: ['AccessDenied'],
  [s3Errors.malformed[0]]: ['AuthorizationHeaderMalformed'],
  [s3Errors.badXml[0]]: ['MalformedXML'],
  [s3Errors.badArgument[0]]: ['InvalidArgument'],
  [s3Errors.noUpload[0]]: ['NoSuchUpload'],
  [s3Errors.badPart[0]]: ['InvalidPart'],
  [s3Errors.badOrder[0]]: ['InvalidPartOrder'],
  [s3Errors.tooSmall[0]]: ['EntityTooSmall'],
  [s3Errors.noCors[0]]: ['NoSuchCORSConfiguration'],
  [s3Errors.notHere[0]]: ['NotImplemented'],
  [s3Errors.yours[0]]: ['BucketAlreadyOwnedByYou'],
  [s3Errors.noRange[0]]: ['InvalidRange'],
  [s3Errors.chunkWrong[0]]: ['SignatureDoesNotMatch'],
  [s3Errors.bodyCut[0]]: ['IncompleteBody'],
  [s3Errors.noVersion[0]]: ['NoSuchVersion'],
  [s3Errors.isMarker[0]]: ['MethodNotAllowed'],
  [storageErrors.noBucket[0]]: ['NoSuchBucket'],
  [storageErrors.noFile[0]]: ['NoSuchKey'],
  [storageErrors.nameTaken[0]]: ['BucketAlreadyExists'],
  [storageErrors.notEmpty[0]]: ['BucketNotEmpty'],
  [storageErrors.preconditionFailed[0]]: ['PreconditionFailed'],
  [storageErrors.wrongBytes[0]]: ['BadDigest', 400],
  [storageErrors.badPath[0]]: ['InvalidArgument'],
  [storageErrors.overQuota[0]]: ['QuotaExceeded', 403],
  [storageErrors.suspended[0]]: ['AccountProblem', 403],
  [storageErrors.typeNotAllowed[0]]: ['InvalidArgument', 400],
  [storageErrors.tooManyBuckets[0]]: ['TooManyBuckets', 400],
  [storageErrors.lengthNeeded[0]]: ['MissingContentLength'],
  [storageErrors.uploadCut[0]]: ['IncompleteBody'],
  [storageErrors.uploadOver[0]]: ['NoSuchUpload', 404],
  [storageErrors.notOpened[0]]: ['InvalidBucketState', 409],
  [storageErrors.keepsOne[0]]: ['InvalidBucketState', 409],
  [commonErrors.tooLarge[0]]: ['EntityTooLarge', 400],
  [commonErrors.tooMany[0]]: ['SlowDown', 503],
  [commonErrors.unavailable[0]]: ['ServiceUnavailable'],
  [commonErrors.internal[0]]: ['InternalError'],
  [commonErrors.badInput[0]]: ['InvalidArgument'],
}

export const s3Refusal: RefusalForm = ({ number, status, message }, { id, method, url }) => {
  const [code, own] = codes[number] ?? ['InvalidRequest']
  const facts = { Code: code, Message: message, Resource: url.split('?')[0] ?? '', RequestId: id }
  return {
    status: own ?? status,
    headers: { 'content-type': 'application/xml', 'x-amz-request-id': id },
    body: method === 'HEAD' || status === 304 ? null : xmlHead + element('Error', facts),
  }
}

import type { Download } from '../../../../server/implement.ts'
import type { ObjectRow } from '../objects/rows.ts'
import { nameOf } from '../rules.ts'

/** A file as the public client reads it; names are the field's. */
export function fileInfo(row: ObjectRow) {
  return {
    bucket: row.bucketId,
    path: row.path,
    name: nameOf(row.path),
    size: row.sizeBytes,
    createTime: new Date(row.createdAt).toISOString(),
    updateTime: new Date(row.updatedAt).toISOString(),
    contentType: row.contentType,
    ...(row.sha256 === null ? {} : { sha256: row.sha256 }),
    ...(row.cacheControl === null ? {} : { cacheControl: row.cacheControl }),
    ...(row.contentDisposition === null ? {} : { contentDisposition: row.contentDisposition }),
    ...(row.contentEncoding === null ? {} : { contentEncoding: row.contentEncoding }),
    ...(row.contentLanguage === null ? {} : { contentLanguage: row.contentLanguage }),
    metadata: row.metadata,
    generation: String(row.generation),
  }
}

export function json(value: unknown): Download {
  return {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  }
}

/** What people uploaded runs nowhere: not as a page of this host, whatever it calls itself. Others may show it. */
export function safeServing(row: ObjectRow): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': row.cacheControl ?? 'private, max-age=0, must-revalidate',
    'x-agc-generation': String(row.generation),
    ...(row.sha256 === null ? {} : { 'x-agc-sha256': row.sha256 }),
  }
}

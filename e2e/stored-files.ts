import { storage } from '../src/services/build/storage/contract.ts'
import { storageFiles } from '../src/services/build/storage/files/contract.ts'
import { storageHosting } from '../src/services/build/storage/hosting/contract.ts'
import { storageKeys } from '../src/services/build/storage/keys/contract.ts'
import type { Loggia, Visitor } from './loggia.ts'

/** A bucket with folders and files, rules of its own for other origins, a site and a key; the pages that show them. */
export async function storeFiles(loggia: Loggia, owner: Visitor, projectId: string): Promise<string[]> {
  const { bucketId } = await owner.ok(storage, 'initData', { body: { projectId, bucketName: 'beacon-files' } })
  for (const [path, text] of [
    ['index.html', '<h1>Beacon</h1>'],
    ['pictures/lamp.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['notes/first.txt', 'The first note'],
  ] as const) {
    const { uploadUrl } = await owner.ok(storageFiles, 'startUpload', {
      body: { bucketId, path, size: text.length, contentType: 'text/plain' },
    })
    await fetch(loggia.url + uploadUrl, {
      method: 'PATCH',
      body: text,
      headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    })
  }
  await owner.ok(storageFiles, 'createToken', { body: { bucketId, path: 'index.html' } })
  const rule = { allowedOrigins: ['https://beacon.example.com'], allowedHeaders: ['*'], exposeHeaders: [] }
  await owner.ok(storage, 'updateCors', {
    body: { bucketId, rules: [{ ...rule, allowedMethods: ['GET', 'PUT'], maxAgeSeconds: 600 }] },
  })
  await owner.ok(storageHosting, 'updateSite', { body: { bucketId, enabled: true, errorDoc: '404.html' } })
  await owner.ok(storageHosting, 'refreshCDN', { body: { bucketId, prefix: '' } })
  await owner.ok(storageKeys, 'createKey', { body: { projectId, name: 'Backup server', isReadOnly: true } })
  const of = `projectId=${projectId}&zone=CN`
  return [
    ...['buckets', 'usage', 'keys'].map(tab => `/storage?${of}&tab=${tab}`),
    ...['files', 'settings', 'cors', 'site'].map(tab => `/storage/${bucketId}?${of}&tab=${tab}`),
    `/storage/${bucketId}?${of}&tab=files&prefix=notes%2F`,
  ]
}

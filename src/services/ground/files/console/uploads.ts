import i18next from 'i18next'
import { notify } from '../../../../console/notify.ts'
import { uploadsOf } from '../../../../console/uploads/uploads.ts'
import type { BizTag } from '../rules.ts'
import { api, partCalls } from './file-calls.ts'
import { ns } from './file-words.ts'

/** What a file is for; left out, its name tells. */
export interface FileWish {
  bizTag?: BizTag
}

export const uploads = uploadsOf<FileWish, null>({
  storageKey: 'loggia.file-uploads',
  calls: {
    listParts: partCalls.listParts,
    compose: partCalls.compose,
    abortUpload: partCalls.abortUpload,
    deleteObjects: api.deleteObjects,
  },
  begin: (file, { bizTag }, options) =>
    partCalls.beginUpload({ body: { fileName: file.name, size: file.size, ...(bizTag && { bizTag }) } }, options),
  isSame: (one, other) => one.bizTag === other.bizTag,
  finish: async ({ fileName: name }) => {
    const t = i18next.getFixedT(null, ns)
    notify({ tone: 'success', text: t('upload.done', { name }) })
    return null
  },
  invalidates: ns,
})

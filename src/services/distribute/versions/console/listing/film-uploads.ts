import { uploadsOf } from '../../../../../console/uploads/uploads.ts'
import { filmMime } from '../../listing/rules.ts'
import { filesApi, listingApi, partCalls } from '../version-calls.ts'
import type { FilmView } from './listing-form.ts'

interface FilmWish {
  versionId: string
  lang: string
}

/** Films on their way; what has come waits until the form takes it. */
export const filmUploads = uploadsOf<FilmWish, FilmView>({
  storageKey: 'loggia.film-uploads',
  calls: {
    listParts: partCalls.listParts,
    compose: partCalls.compose,
    abortUpload: partCalls.abortUpload,
    deleteObjects: filesApi.deleteObjects,
  },
  begin: (file, _wish, options) =>
    partCalls.beginUpload({ body: { fileName: file.name, size: file.size, bizTag: 'app_video' } }, options),
  isSame: (one, other) => one.versionId === other.versionId && one.lang === other.lang,
  finish: async ({ objectId, sizeBytes }) => ({
    ...{ objectId, sizeBytes, mime: filmMime, width: null, height: null, durationMs: null },
    ...{ state: 'CHECKING' as const, hits: [] },
  }),
  invalidates: listingApi.updateListing.service,
})

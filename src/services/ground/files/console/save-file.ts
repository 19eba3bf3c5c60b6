import { ownAddress } from '../../../../console/own-address.ts'
import { api, type FileView } from './file-calls.ts'

/** Has the browser save a file under its name. */
export async function saveFile({ objectId, fileName }: FileView): Promise<void> {
  const { url } = await api.makeDownloadAddress({ body: { objectId, fileName } })
  const link = document.createElement('a')
  link.href = ownAddress(url)
  link.download = fileName
  link.click()
}

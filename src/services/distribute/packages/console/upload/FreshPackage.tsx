import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { notify } from '../../../../../console/notify.ts'
import { noticeOf } from '../package-words.ts'
import { TaskProgress } from '../TaskProgress.tsx'
import { type PackageUpload, uploads } from './uploads.ts'

/** A package that has just arrived, until the store has read it. */
export function FreshPackage({ upload, made }: { upload: PackageUpload; made: { pkgId: string; taskId: string } }) {
  const { t } = useTranslation('distribute/packages')
  const go = useGo()
  const { appId, fileName: name, nspUploadId } = upload
  const end = (isTaken: boolean) => {
    uploads.clear(nspUploadId)
    notify({
      id: noticeOf(made.pkgId),
      tone: isTaken ? 'success' : 'error',
      text: isTaken ? t('task.taken', { name }) : t('task.refused', { name }),
      action: {
        label: t('task.see'),
        run: () => go('/apps/$appId/packages/$pkgId', { appId, pkgId: made.pkgId }),
      },
    })
  }
  return <TaskProgress taskId={made.taskId} label={name} onEnd={end} />
}

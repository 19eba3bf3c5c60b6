import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { projectZone, teamZone } from '../../../../../console/session.ts'
import { AppName } from '../AppName.tsx'
import { api, type FileView } from '../file-calls.ts'
import { kindOf } from '../file-words.ts'
import { SaveFile } from '../SaveFile.tsx'
import { usePicturesOf } from '../use-pictures.ts'
import { FileChecks } from './FileChecks.tsx'

interface FileDetailProps {
  objectId: string
  /** As the list on screen has it. */
  file: FileView | undefined
  isLoading: boolean
  names: ReadonlyMap<string, string>
  onClose: () => void
  onRemove: (objectId: string) => void
}

/** One file: what it is, its picture, and what the checks found. */
export function FileDetail({ objectId, file, isLoading, names, onClose, onRemove }: FileDetailProps) {
  const { t } = useTranslation('ground/files')
  const buttons = file && (
    <SpaceBetween direction="horizontal" size="xs">
      {!file.isHeld && (
        <Can call={api.deleteObjects}>
          <Button onClick={() => onRemove(objectId)}>{t('remove.button')}</Button>
        </Can>
      )}
      <SaveFile file={file} variant="normal" />
    </SpaceBetween>
  )
  return (
    <Modal
      visible
      size="large"
      header={file ? <span translate="no">{file.fileName}</span> : t('detail.title')}
      closeAriaLabel={t('detail.close')}
      onDismiss={onClose}
      footer={buttons && <Box float="right">{buttons}</Box>}
    >
      {file ? (
        <SpaceBetween size="l">
          <Facts file={file} names={names} />
          <FileChecks file={file} />
        </SpaceBetween>
      ) : isLoading ? (
        <div role="status">
          <Spinner /> {t('state.loading', { ns: 'console' })}
        </div>
      ) : (
        <EmptyState title={t('detail.gone')} text={t('detail.goneText')} />
      )}
    </Modal>
  )
}

function Facts({ file, names }: { file: FileView; names: ReadonlyMap<string, string> }) {
  const { t } = useTranslation('ground/files')
  const picture = usePicturesOf([file], '512').get(file.objectId)
  const { width, height } = file
  const pixels = width !== null && height !== null ? t('detail.pixels', { width, height }) : null
  return (
    <>
      {picture && <img className="files-picture" src={picture} alt={t('detail.picture', { name: file.fileName })} />}
      <KeyValuePairs
        columns={3}
        minColumnWidth={180}
        items={[
          { label: t('table.kind'), value: kindOf(file) },
          { label: t('detail.content'), value: <span translate="no">{file.mime}</span> },
          { label: t('table.size'), value: <ByteSize value={file.size} /> },
          ...(pixels ? [{ label: t('detail.dimensions'), value: pixels }] : []),
          {
            label: t('table.app'),
            value: <AppName appId={file.appId} names={names} zone={projectZone.get() ?? teamZone() ?? 'CN'} />,
          },
          { label: t('detail.use'), value: file.isHeld ? t('detail.held') : t('detail.free') },
          { label: t('table.made'), value: <When at={file.createdAt} /> },
          {
            label: t('table.expires'),
            value: file.expireAt === null ? t('table.never') : <When at={file.expireAt} />,
          },
          {
            label: t('detail.id'),
            value: (
              <span className="files-id" translate="no">
                {file.objectId}
              </span>
            ),
          },
        ]}
      />
    </>
  )
}

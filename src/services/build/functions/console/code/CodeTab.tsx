import '../functions.css'
import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { CodeEditor, type CodeLanguage } from '../../../../../console/kit/CodeEditor.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { UnsavedGuard } from '../../../../../console/kit/UnsavedGuard.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { api, type FunctionView } from '../function-calls.ts'
import { FileTree } from './FileTree.tsx'
import { ImageBox } from './ImageBox.tsx'
import { PackageDialog } from './PackageDialog.tsx'
import { TestDrawer } from './TestDrawer.tsx'

type SourceFile = { path: string; content: string; encoding: 'utf8' | 'base64' }

const languages: Readonly<Record<string, CodeLanguage>> = {
  ...{ js: 'javascript', mjs: 'javascript', cjs: 'javascript' },
  json: 'json',
}
const languageOf = (path: string): CodeLanguage => languages[path.split('.').at(-1) ?? ''] ?? 'text'

/** The files of `$latest`, an editor for each, or its image; and a drawer to try them out. */
export function CodeTab({ of }: { of: FunctionView }) {
  const { image } = of.config
  if (!image) return <Package of={of} />
  return (
    <SpaceBetween size="l">
      <ImageBox key={image.reference} of={of} image={image} />
      <TestDrawer of={of} isChanged={false} />
    </SpaceBetween>
  )
}

function Package({ of }: { of: FunctionView }) {
  const found = useCall(api.getCode, { query: { functionId: of.functionId } })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  return <Files of={of} kept={found.data.files} isEditable={found.data.editable} />
}

const asText = (files: readonly SourceFile[]) =>
  JSON.stringify(
    [...files].sort((a, b) => (a.path < b.path ? -1 : 1)).map(one => [one.path, one.encoding, one.content]),
  )

/** The kept files until something is written; what was written stays until it is what is kept. */
function useWritten(kept: readonly SourceFile[]) {
  const [written, write] = useState<readonly SourceFile[] | null>(null)
  const isChanged = written !== null && asText(written) !== asText(kept)
  useEffect(() => {
    if (written !== null && !isChanged) write(null)
  }, [written, isChanged])
  return [written ?? kept, write, isChanged] as const
}

function Files({ of, kept, isEditable }: { of: FunctionView; kept: readonly SourceFile[]; isEditable: boolean }) {
  const { t } = useTranslation('build/functions')
  const [files, setFiles, isChanged] = useWritten(kept)
  const [open, setOpen] = useState(kept.find(one => /^index\./.test(one.path))?.path ?? kept[0]?.path ?? '')
  const [isUploading, setUploading] = useState(false)
  const save = useAction(api.updateCode, { errors: 'form' })
  const file = files.find(one => one.path === open)
  const canWrite = isEditable && file?.encoding === 'utf8'
  const { functionId, revision } = of
  const run = () => void save.run({ params: { functionId }, body: { revision, files: [...files] } })
  useEffect(() => {
    if (!file && files[0]) setOpen(files[0].path)
  }, [file, files])
  return (
    <SpaceBetween size="l">
      <UnsavedGuard isDirty={isChanged} what={of.functionName} />
      {!isEditable && <Alert type="info">{t('tooLargeToEdit')}</Alert>}
      {save.error && (
        <Alert type="error" header={t('notSaved')}>
          {errorText(save.error)}
        </Alert>
      )}
      <div className="fn-code">
        <FileTree
          files={files}
          open={open}
          isEditable={isEditable}
          onOpen={setOpen}
          onAdd={path => {
            setFiles([...files, { path, content: '', encoding: 'utf8' }])
            setOpen(path)
          }}
          onRemove={path => setFiles(files.filter(one => one.path !== path))}
        />
        {file && (
          <CodeEditor
            key={file.path}
            value={file.encoding === 'utf8' ? file.content : t('notText')}
            label={file.path}
            language={languageOf(file.path)}
            lines={{ least: 20, most: 28 }}
            {...(canWrite && {
              onChange: (content: string) =>
                setFiles(files.map(one => (one.path === file.path ? { ...one, content } : one))),
            })}
          />
        )}
      </div>
      {isUploading && (
        <PackageDialog
          of={of}
          isChanged={isChanged}
          onTaken={() => {
            setFiles(null)
            setUploading(false)
          }}
          onClose={() => setUploading(false)}
        />
      )}
      <Can call={api.updateCode}>
        <div className="lg-actions">
          <Button iconName="upload" data-action="upload-package" onClick={() => setUploading(true)}>
            {t('package.upload')}
          </Button>
          <Button disabled={!isChanged} onClick={() => setFiles(null)}>
            {t('undo')}
          </Button>
          <Button
            variant="primary"
            data-action="save"
            disabled={!isChanged || !isEditable}
            loading={save.isRunning}
            onClick={run}
          >
            {t('save')}
          </Button>
        </div>
      </Can>
      <TestDrawer of={of} isChanged={isChanged} />
    </SpaceBetween>
  )
}

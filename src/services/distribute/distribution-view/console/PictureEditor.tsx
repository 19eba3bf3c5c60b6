import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { FileDrop } from '../../../../console/kit/FileDrop.tsx'
import { UnsavedGuard } from '../../../../console/kit/UnsavedGuard.tsx'
import { notify } from '../../../../console/notify.ts'
import { may } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { pictureLimits } from '../immersive/rules.ts'
import { useDraft } from './draft.ts'
import { api, type Picture } from './immersive-calls.ts'
import { PhonePreview } from './PhonePreview.tsx'
import { Swatches } from './Swatches.tsx'

/** Chooses picture and colour, beside what a phone shows of it. */
export function PictureEditor({ name, picture }: { name: string; picture: Picture }) {
  const { t } = useTranslation('distribute/distribution-view')
  const { appId, revision, allowedActions } = picture
  const edit = useDraft(picture, misfit => t('picker.misfit', misfit))
  const { draft } = edit
  const done = (key: 'saved' | 'submitted' | 'removed') => () => notify({ tone: 'success', text: t(`done.${key}`) })
  const save = useAction(api.setImmersive, { onDone: done('saved') })
  const remove = useAction(api.setImmersive, { onDone: done('removed') })
  const submit = useAction(api.submitImmersive, { onDone: done('submitted') })
  const canEdit = allowedActions.includes('edit')
  const { objectId, dominantColor, textColor } = draft
  const colours = {
    ...(dominantColor === null ? {} : { dominantColor }),
    ...(textColor === null ? {} : { textColor }),
  }
  const { leastWidth, leastHeight, mostSide, mostBytes } = pictureLimits
  const limits = { leastWidth, leastHeight, mostSide, megabytes: mostBytes / 1024 / 1024 }
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('picker.text', limits)}
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              {canEdit && picture.objectId !== null && (
                <Button
                  data-action="edit"
                  loading={remove.isRunning}
                  onClick={() => void remove.run({ body: { appId, objectId: null, revision } })}
                >
                  {t('action.remove')}
                </Button>
              )}
              {canEdit && edit.isChanged && objectId !== null && (
                <Button
                  data-action="edit"
                  variant="primary"
                  loading={save.isRunning}
                  onClick={() => void save.run({ body: { appId, objectId, ...colours, revision } })}
                >
                  {t('action.save')}
                </Button>
              )}
              {allowedActions.includes('submit') && !edit.isChanged && (
                <Button
                  data-action="submit"
                  variant="primary"
                  loading={submit.isRunning}
                  onClick={() => void submit.run({ body: { appId, revision } })}
                >
                  {t('action.submit')}
                </Button>
              )}
            </SpaceBetween>
          }
        >
          {t('picker.title')}
        </Header>
      }
    >
      <UnsavedGuard isDirty={edit.isChanged} what={t('title')} />
      <div className="immersive-editor">
        <SpaceBetween size="m">
          {edit.problem !== null && <Alert type="error">{edit.problem}</Alert>}
          {canEdit && may('files.upload') && (
            <FileDrop
              label={t(objectId === null ? 'picker.choose' : 'picker.replace')}
              accept={edit.accept}
              isDisabled={edit.sending !== null}
              onFiles={([file]) => file && void edit.send(file)}
            />
          )}
          {edit.sending !== null && (
            <StatusIndicator type="loading">{t('picker.sending', { name: edit.sending })}</StatusIndicator>
          )}
          {draft.palette.length > 0 && (
            <Swatches
              palette={draft.palette}
              chosen={dominantColor}
              isDisabled={!canEdit}
              onChoose={edit.chooseColour}
            />
          )}
          {edit.isChanged && <span className="lg-soft">{t('picker.unsaved')}</span>}
        </SpaceBetween>
        <PhonePreview name={name} {...draft} label={t('preview.label')} />
      </div>
    </Container>
  )
}

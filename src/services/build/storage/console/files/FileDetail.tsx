import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button, { type ButtonProps } from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { CopyText } from '../CopyText.tsx'
import { type DetailView, filesApi, useGeneration } from '../storage-calls.ts'

/** Everything that is known of a file, its download tokens and its versions. */
export function FileDetail({ bucketId, path, onClose }: { bucketId: string; path: string; onClose: () => void }) {
  const calls = useGeneration()
  const found = useCall(calls.queryDetail, { body: { bucketId, path } })
  return (
    <Modal
      visible
      size="large"
      header={
        <span translate="no" className="storage-path">
          {path}
        </span>
      }
      onDismiss={onClose}
    >
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.error && !found.data && (
        <Box textAlign="center">
          <Spinner />
        </Box>
      )}
      {found.data && (
        <SpaceBetween size="l">
          <Facts detail={found.data} />
          <Tokens bucketId={bucketId} path={path} tokens={found.data.tokens} />
          {found.data.versions.length > 0 && <Versions bucketId={bucketId} path={path} detail={found.data} />}
        </SpaceBetween>
      )}
    </Modal>
  )
}

function Facts({ detail: { object, downloadUrl } }: { detail: DetailView }) {
  const { t } = useTranslation('build/storage')
  const said = [
    ['contentType', object.contentType],
    ['cacheControl', object.cacheControl],
    ['contentDisposition', object.contentDisposition],
    ['contentEncoding', object.contentEncoding],
    ['contentLanguage', object.contentLanguage],
  ].filter((pair): pair is [string, string] => pair[1] !== null)
  const own = Object.entries(object.metadata)
  return (
    <SpaceBetween size="m">
      {object.sniffedType !== null && (
        <Alert type="warning">{t('detail.odd', { said: object.contentType, found: object.sniffedType })}</Alert>
      )}
      <KeyValuePairs
        columns={2}
        items={[
          { label: t('buckets.size'), value: <ByteSize value={object.size} /> },
          { label: t('detail.generation'), value: object.generation },
          { label: t('detail.created'), value: <When at={object.createdAt} /> },
          { label: t('files.changed'), value: <When at={object.updatedAt} /> },
          ...said.map(([name, value]) => ({ label: t(`detail.${name}`), value: <span translate="no">{value}</span> })),
          ...(object.ownerUid === null ? [] : [{ label: t('detail.owner'), value: object.ownerUid }]),
          ...(object.sha256 === null ? [] : [{ label: 'SHA-256', value: <CopyText text={object.sha256} /> }]),
        ]}
      />
      {own.length > 0 && (
        <div>
          <Header variant="h3">{t('detail.metadata')}</Header>
          <dl className="storage-metadata" translate="no">
            {own.map(([name, value]) => (
              <div key={name} style={{ display: 'contents' }}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      <Button iconName="download" href={downloadUrl} target="_blank" data-action="download">
        {t('detail.download')}
      </Button>
    </SpaceBetween>
  )
}

function Tokens({ bucketId, path, tokens }: { bucketId: string; path: string; tokens: DetailView['tokens'] }) {
  const { t } = useTranslation('build/storage')
  const at = { bucketId, path }
  const create = useAction(filesApi.createToken)
  const adding = useRef<ButtonProps.Ref>(null)
  const revoke = useAction(filesApi.deleteToken)
  const renew = useAction(filesApi.clearAndRefreshToken)
  const shown = useRef(0)
  // The button that was pressed goes with its token, and the keyboard must not be left nowhere.
  useLayoutEffect(() => {
    if (tokens.length < shown.current && document.activeElement === document.body) adding.current?.focus()
    shown.current = tokens.length
  }, [tokens.length])
  return (
    <SpaceBetween size="s">
      <Header
        variant="h3"
        description={t('tokens.text')}
        actions={
          <Can call={filesApi.createToken}>
            <SpaceBetween direction="horizontal" size="xs">
              {tokens.length > 0 && (
                <Button
                  data-action="renew-tokens"
                  loading={renew.isRunning}
                  onClick={() => void renew.run({ body: at })}
                >
                  {t('tokens.renew')}
                </Button>
              )}
              <Button
                ref={adding}
                data-action="create-token"
                loading={create.isRunning}
                onClick={() => void create.run({ body: at })}
              >
                {t('tokens.add')}
              </Button>
            </SpaceBetween>
          </Can>
        }
      >
        {t('tokens.title')}
      </Header>
      {tokens.length === 0 && <Box color="text-body-secondary">{t('tokens.none')}</Box>}
      {tokens.map(one => (
        <div key={one.token}>
          <CopyText text={one.url} />{' '}
          <Can call={filesApi.deleteToken}>
            <Button
              variant="inline-link"
              data-action="revoke-token"
              onClick={() => void revoke.run({ body: { ...at, token: one.token } })}
            >
              {t('tokens.revoke')}
            </Button>
          </Can>
        </div>
      ))}
    </SpaceBetween>
  )
}

function Versions({ bucketId, path, detail }: { bucketId: string; path: string; detail: DetailView }) {
  const { t } = useTranslation('build/storage')
  const restore = useAction(filesApi.restoreVersion)
  return (
    <SpaceBetween size="s">
      <Header variant="h3">{t('versions.title')}</Header>
      {detail.versions.map(one => (
        <div key={one.generation}>
          <When at={one.createdAt} /> · <ByteSize value={one.size} />{' '}
          <Can call={filesApi.restoreVersion}>
            <Button
              variant="inline-link"
              data-action="restore"
              onClick={() => void restore.run({ body: { bucketId, path, generation: one.generation } })}
            >
              {t('versions.restore')}
            </Button>
          </Can>
        </div>
      ))}
    </SpaceBetween>
  )
}

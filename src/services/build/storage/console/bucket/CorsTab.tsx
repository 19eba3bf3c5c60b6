import AttributeEditor from '@cloudscape-design/components/attribute-editor'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Form from '@cloudscape-design/components/form'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import Multiselect from '@cloudscape-design/components/multiselect'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type CorsRule, corsProblem, limits } from '../../rules.ts'
import { api } from '../storage-calls.ts'

const methods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'] as const
const plain: CorsRule = {
  allowedOrigins: [],
  allowedMethods: ['GET'],
  allowedHeaders: ['*'],
  exposeHeaders: [],
  maxAgeSeconds: 600,
}

/** What pages of other origins may do with a bucket. */
export function CorsTab({ bucketId }: { bucketId: string }) {
  const found = useCall(api.queryCors, { body: { bucketId } })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  return <CorsForm key={found.data.revision} bucketId={bucketId} {...found.data} />
}

function CorsForm({ bucketId, rules: kept, revision }: { bucketId: string; rules: CorsRule[]; revision: number }) {
  const { t } = useTranslation('build/storage')
  const [rules, setRules] = useState(kept)
  const save = useAction(api.updateCors, { errors: 'form' })
  const set = (at: number, change: Partial<CorsRule>) =>
    setRules(rules.map((rule, index) => (index === at ? { ...rule, ...change } : rule)))
  const isWhole = rules.every(
    rule => rule.allowedOrigins.length > 0 && rule.allowedMethods.length > 0 && corsProblem(rule) === null,
  )
  const words = (name: 'allowedOrigins' | 'allowedHeaders' | 'exposeHeaders', placeholder: string) => ({
    label: t(`cors.${name}`),
    control: (rule: CorsRule, at: number) => (
      <Input
        ariaLabel={t(`cors.${name}`)}
        placeholder={placeholder}
        value={rule[name].join(' ')}
        onChange={({ detail }) =>
          set(at, {
            [name]: detail.value.split(' ').filter((one, place, all) => one !== '' || place === all.length - 1),
          })
        }
        onBlur={() => set(at, { [name]: rule[name].filter(one => one !== '') })}
      />
    ),
  })
  return (
    <Form
      errorText={save.error && errorText(save.error)}
      actions={
        <Can call={api.updateCors}>
          <Button
            variant="primary"
            data-action="save-cors"
            loading={save.isRunning}
            disabled={!isWhole}
            onClick={() => void save.run({ body: { bucketId, rules, revision } })}
          >
            {t('save')}
          </Button>
        </Can>
      }
    >
      <Container
        header={
          <Header variant="h2" description={t('cors.text')}>
            {t('bucketTabs.cors')}
          </Header>
        }
      >
        <AttributeEditor
          items={rules}
          definition={[
            words('allowedOrigins', 'https://example.com'),
            {
              label: t('cors.allowedMethods'),
              control: (rule, at) => (
                <Multiselect
                  ariaLabel={t('cors.allowedMethods')}
                  options={methods.map(value => ({ value, label: value }))}
                  selectedOptions={rule.allowedMethods.map(value => ({ value, label: value }))}
                  onChange={({ detail }) =>
                    set(at, {
                      allowedMethods: methods.filter(one => detail.selectedOptions.some(all => all.value === one)),
                    })
                  }
                />
              ),
            },
            words('allowedHeaders', '*'),
            words('exposeHeaders', 'etag'),
          ]}
          addButtonText={t('cors.add')}
          removeButtonText={t('remove')}
          disableAddButton={rules.length >= limits.corsRules}
          onAddButtonClick={() => setRules([...rules, plain])}
          onRemoveButtonClick={({ detail }) => setRules(rules.filter((_rule, at) => at !== detail.itemIndex))}
          empty={t('cors.none')}
        />
      </Container>
    </Form>
  )
}

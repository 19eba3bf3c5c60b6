import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tabs from '@cloudscape-design/components/tabs'
import { useTranslation } from 'react-i18next'
import { MethodBadge } from './MethodBadge.tsx'
import { jsonBodyOf, type Operation, type Parameter, type Schema, takesBytes } from './open-api.ts'
import { SchemaLimits, SchemaTree, typeText } from './SchemaTree.tsx'
import { TryOut } from './TryOut.tsx'

interface CallDetailProps {
  method: string
  path: string
  operation: Operation
  schemas: Record<string, Schema>
}

/** One call: who may make it, what goes in, what comes out, what is refused, and a way to try it. */
export function CallDetail({ method, path, operation, schemas }: CallDetailProps) {
  const { t } = useTranslation('ground/reference')
  const body = jsonBodyOf(operation.requestBody)
  const answer = jsonBodyOf(operation.responses['200'])
  const refusals = Object.entries(operation.responses).filter(([status]) => /^[45]/.test(status))
  return (
    <Container
      header={
        <Header variant="h2" description={<span lang="en">{operation.summary}</span>}>
          <span className="reference-title">
            <MethodBadge method={method} /> <code>{path}</code>
          </span>
        </Header>
      }
    >
      <SpaceBetween size="l">
        <KeyValuePairs
          columns={3}
          items={[
            {
              label: t('call.permission'),
              value:
                operation['x-permission'] === 'none' ? (
                  t('call.noPermission')
                ) : (
                  <code translate="no">{operation['x-permission']}</code>
                ),
            },
            { label: t('call.audience'), value: t(`audiences.${operation['x-audience']}`) },
            { label: t('call.zone'), value: t(`zoneRules.${operation['x-zone']}`) },
          ]}
        />
        <Tabs
          ariaLabel={t('call.parts')}
          tabs={[
            {
              id: 'in',
              label: t('call.in'),
              content: (
                <SpaceBetween size="m">
                  {operation.parameters.length > 0 && <Parameters list={operation.parameters} />}
                  {body && (
                    <section aria-label={t('call.body')}>
                      <Header variant="h3">{t('call.body')}</Header>
                      <SchemaTree schema={body} schemas={schemas} />
                    </section>
                  )}
                  {takesBytes(operation) && <span>{t('call.bytes')}</span>}
                  {operation.parameters.length === 0 && !operation.requestBody && <span>{t('call.nothingIn')}</span>}
                </SpaceBetween>
              ),
            },
            {
              id: 'out',
              label: t('call.out'),
              content: answer ? <SchemaTree schema={answer} schemas={schemas} /> : <span>{t('call.bytesOut')}</span>,
            },
            {
              id: 'refusals',
              label: t('call.refusals'),
              content: (
                <dl className="reference-refusals">
                  {refusals.map(([status, { description }]) => (
                    <div key={status}>
                      <dt>{status}</dt>
                      {description.split('\n').map(line => (
                        <dd key={line} lang="en">
                          {line}
                        </dd>
                      ))}
                    </div>
                  ))}
                </dl>
              ),
            },
            {
              id: 'try',
              label: t('call.try'),
              content: <TryOut method={method} path={path} operation={operation} />,
            },
          ]}
        />
      </SpaceBetween>
    </Container>
  )
}

function Parameters({ list }: { list: readonly Parameter[] }) {
  const { t } = useTranslation('ground/reference')
  return (
    <section aria-label={t('call.parameters')}>
      <Header variant="h3">{t('call.parameters')}</Header>
      <ul className="reference-tree">
        {list.map(one => (
          <li key={`${one.in} ${one.name}`}>
            <code className="reference-name">{one.name}</code>{' '}
            <span className="reference-type">{typeText(one.schema)}</span>{' '}
            <span className="lg-soft">{t(`places.${one.in}`)}</span>{' '}
            {one.required && <span className="reference-required">{t('schema.required')}</span>}
            <SchemaLimits schema={one.schema} />
          </li>
        ))}
      </ul>
    </section>
  )
}

import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TestView } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'
import { AskTest } from './AskTest.tsx'
import { ExtendTest } from './ExtendTest.tsx'
import { OpenToAll } from './OpenToAll.tsx'
import { PromoteTest } from './PromoteTest.tsx'
import { ReleaseToGroups } from './ReleaseToGroups.tsx'
import { ShareAddress } from './ShareAddress.tsx'

const verbsOf = {
  release: ['release', 'open'],
  withdraw: ['withdraw'],
  extend: ['extend'],
  stop: ['stop'],
  promote: ['promote'],
  delete: ['delete'],
} as const
type Verb = (typeof verbsOf)[keyof typeof verbsOf][number] | 'share'

/** What may be done with a test now. */
export function TestActions({ test }: { test: TestView }) {
  const { t } = useTranslation('distribute/versions')
  const [open, setOpen] = useState<Verb | null>(null)
  const close = () => setOpen(null)
  const verbs: Verb[] = [
    ...(test.shareAddress === null ? [] : (['share'] as const)),
    ...test.allowedActions.flatMap(action => (action in verbsOf ? verbsOf[action as keyof typeof verbsOf] : [])),
  ]
  return (
    <>
      <span className="version-tests-actions">
        {verbs.map(verb => (
          <Button
            key={verb}
            variant="inline-link"
            data-action={verb}
            ariaLabel={`${t(`tests.verbs.${verb}`)}: ${nameOf(test)}`}
            onClick={() => setOpen(verb)}
          >
            {t(`tests.verbs.${verb}`)}
          </Button>
        ))}
      </span>
      {open === 'release' && <ReleaseToGroups test={test} onClose={close} />}
      {open === 'open' && <OpenToAll test={test} onClose={close} />}
      {open === 'extend' && <ExtendTest test={test} onClose={close} />}
      {open === 'share' && <ShareAddress address={test.sharePage ?? ''} onClose={close} />}
      {open === 'promote' && <PromoteTest test={test} onClose={close} />}
      {(open === 'stop' || open === 'withdraw' || open === 'delete') && (
        <AskTest verb={open} test={test} onClose={close} />
      )}
    </>
  )
}

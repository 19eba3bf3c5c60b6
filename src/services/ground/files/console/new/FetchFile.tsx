import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../../../console/call-error.ts'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { currentTeamId, projectZone } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { BizTag } from '../../rules.ts'
import { fileTasks } from '../../tasks/contract.ts'
import { taskCalls } from '../file-calls.ts'
import { fetches } from './fetches.ts'

const empty = { url: '', fileName: '', sha256: '' }

/** What only the server can tell of an address comes in English. */
function inOurWords(error: CallError, badAddress: string): CallError {
  const fields = error.fields.map(field => (field.rule === 'address' ? { ...field, message: badAddress } : field))
  return new CallError({ ...error, message: error.message, fields })
}

/** Has the server fetch a file; how far it is stands below the form. */
export function FetchFile({ bizTag }: { bizTag: BizTag | undefined }) {
  const { t } = useTranslation('ground/files')
  const form = useContractForm(fileTasks.calls.fetchByUrl.body, empty)
  const begin = useAction(taskCalls.fetchByUrl, {
    errors: 'form',
    onDone: ({ taskId }, { body }) => {
      const zone = projectZone.get()
      const teamId = currentTeamId() ?? ''
      fetches.set([{ taskId, teamId, name: body.fileName ?? body.url, ...(zone && { zone }) }, ...fetches.get()])
      form.form.reset(empty)
    },
  })
  const error = useMemo(() => begin.error && inOurWords(begin.error, t('fetch.badUrl')), [begin.error, t])
  return (
    <ContractFormBox
      of={form}
      action={{ ...begin, error }}
      submit={values => begin.run({ body: { ...values, waitSeconds: 0, ...(bizTag && { bizTag }) } })}
      submitLabel={t('fetch.start')}
    >
      <TextField
        of={form}
        name="url"
        label={t('fetch.url')}
        hint={t('fetch.urlHint')}
        placeholder="https://example.com/icon.png"
      />
      <TextField of={form} name="fileName" label={t('fetch.fileName')} hint={t('fetch.fileNameHint')} />
      <TextField of={form} name="sha256" label={t('fetch.sha256')} hint={t('fetch.sha256Hint')} />
    </ContractFormBox>
  )
}

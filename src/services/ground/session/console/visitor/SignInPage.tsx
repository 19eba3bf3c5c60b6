import { useRouter } from '@tanstack/react-router'
import i18next from 'i18next'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../../../../../console/call-error.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { returnAddress } from '../../../../../console/session.ts'
import { stored, userInfoCookie } from '../../../../../console/stored.ts'
import { loginDefaults } from '../../../../../kernel/wire.ts'
import { session } from '../../contract.ts'
import { api } from '../session-calls.ts'
import { KeepAccount, type Leaving, leavingOf } from './KeepAccount.tsx'
import { OtherWays } from './OtherWays.tsx'
import { takeOwnSearch } from './own-search.ts'
import { PasswordField } from './PasswordField.tsx'
import { PlainField } from './PlainField.tsx'
import { ProvidersOnly } from './ProvidersOnly.tsx'
import { SecondStep } from './SecondStep.tsx'
import { useOwnSignIn } from './use-own-sign-in.ts'
import { VisitorForm } from './VisitorForm.tsx'
import { VisitorFrame } from './VisitorFrame.tsx'

/** Read once: a provider that sent the browser back left what goes on here in the address. */
function takeReturn() {
  const search = takeOwnSearch(['ticket', 'problem', 'keep'])
  const keep = search.get('keep')
  return {
    ticket: search.get('ticket'),
    problem: search.get('problem'),
    isDone: search.has('done'),
    leaving: keep === null ? null : { ticket: keep, erasesAt: null },
    erasesAt: Number(search.get('erases')) || null,
    isNeeded: stored.take('loginNeeded') ?? false,
  }
}

export default function SignInPage() {
  const { t } = useTranslation('ground/session')
  const { history } = useRouter()
  const [back] = useState(takeReturn)
  const [ticket, setTicket] = useState(back.ticket)
  const [leaving, setLeaving] = useState<Leaving | null>(back.leaving)
  const { said, own, askAsStaff } = useOwnSignIn()
  const goOn = () => history.push(returnAddress.take().slice(1))

  useEffect(() => {
    if (back.isDone && userInfoCookie()) history.push(returnAddress.take().slice(1))
  }, [back, history])

  const key = `errors.${back.problem}`
  const problem = back.problem && i18next.exists(key, { ns: 'ground/session' }) ? t(key) : null
  if (leaving !== null) {
    return (
      <VisitorFrame>
        <KeepAccount
          leaving={leaving}
          onBack={() => {
            setLeaving(null)
            setTicket(null)
          }}
        />
      </VisitorFrame>
    )
  }
  if (ticket !== null) {
    return (
      <VisitorFrame>
        <SecondStep ticket={ticket} onDone={goOn} onBack={() => setTicket(null)} onLeaving={setLeaving} />
      </VisitorFrame>
    )
  }
  const told = (
    <>
      {back.isNeeded && (
        <p className="sign-in-told" role="status">
          {t('signIn.needed')}
        </p>
      )}
      {back.erasesAt !== null && (
        <p className="sign-in-told" role="status">
          {t('keep.asked')} <When at={back.erasesAt} show="both" />
        </p>
      )}
    </>
  )
  const ways = <OtherWays own={own} said={said} onDone={goOn} onLeaving={setLeaving} />
  if (own === 'none') {
    return (
      <VisitorFrame>
        <ProvidersOnly problem={problem} told={told} ways={ways} onStaff={askAsStaff} />
      </VisitorFrame>
    )
  }
  return (
    <VisitorFrame>
      <VisitorForm
        title={t('signIn.title')}
        submitLabel={t('signIn.go')}
        busyLabel={t('signIn.busy')}
        problem={problem}
        check={field => (field('account').trim() && field('password') ? null : t('signIn.bothNeeded'))}
        submit={async field => {
          try {
            const account = field('account').trim()
            await api.login({ body: { account, password: field('password'), shownAs: said, ...loginDefaults } })
            goOn()
          } catch (refusal) {
            const kept = leavingOf(refusal)
            if (kept) return setLeaving(kept)
            const isStep = isCallError(refusal) && refusal.number === session.errors.secondFactorNeeded[0]
            if (!isStep) throw refusal
            setTicket(String(refusal.detail['ticket']))
          }
        }}
        after={ways}
      >
        {told}
        {own === 'staff' && <p className="sign-in-told">{t('signIn.staffText')}</p>}
        <PlainField name="account" label={t('signIn.account')} autoComplete="username" maxLength={254} />
        <PasswordField />
      </VisitorForm>
    </VisitorFrame>
  )
}

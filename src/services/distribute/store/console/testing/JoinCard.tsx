import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { When } from '../../../../../console/kit/When.tsx'
import type { Language } from '../../../../../console/language.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { type Invitation, testerApi } from '../store-calls.ts'
import { refusalOf } from './refusal.ts'

/** Joining by a link or an activity: an address, and a mail that goes there. */
export function JoinCard({ view, token }: { view: Invitation; token: string }) {
  const { t, i18n } = useTranslation('distribute/store')
  const id = useId()
  const [account, setAccount] = useState('')
  const [nickname, setNickname] = useState('')
  const [isAsked, setAsked] = useState(false)
  const ask = useAction(testerApi.askToJoin, { errors: 'form', onDone: () => setAsked(true), invalidates: [] })
  const { appName, activity } = view
  const isFull = activity?.placesLeft === 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const language = i18n.resolvedLanguage as Language
    void ask.run({ body: { token, account, language, ...(nickname.trim() && { nickname }) } })
  }
  return (
    <>
      <header>
        <h1>{t('openTest.join', { name: appName })}</h1>
        {activity && (
          <p className="open-test-lead" translate="no">
            {activity.title}
          </p>
        )}
      </header>
      {activity && (
        <section className="open-test-card">
          <p className="open-test-said" translate="no">
            {activity.description}
          </p>
          <dl className="open-test-facts">
            {activity.reward && (
              <div>
                <dt>{t('openTest.reward')}</dt>
                <dd translate="no">{activity.reward}</dd>
              </div>
            )}
            {activity.deviceModels.length > 0 && (
              <div>
                <dt>{t('openTest.models')}</dt>
                <dd translate="no">{activity.deviceModels.join(', ')}</dd>
              </div>
            )}
            <div>
              <dt>{t('openTest.until')}</dt>
              <dd>
                <When at={activity.endAt} />
              </dd>
            </div>
          </dl>
          <p className="open-test-soft">
            {isFull ? t('openTest.full') : t('openTest.places', { count: activity.placesLeft })}
          </p>
        </section>
      )}
      {isAsked ? (
        <section className="open-test-card" role="status">
          <h2>{t('openTest.asked')}</h2>
          <p>{t('openTest.askedText', { account })}</p>
        </section>
      ) : (
        !isFull && (
          <form className="open-test-card" onSubmit={submit}>
            <p>{t('openTest.joinText')}</p>
            <label htmlFor={`${id}-mail`}>{t('openTest.mail')}</label>
            <input
              id={`${id}-mail`}
              className="open-test-input"
              type="email"
              required
              maxLength={254}
              autoComplete="email"
              value={account}
              onChange={event => setAccount(event.target.value)}
            />
            <label htmlFor={`${id}-name`}>{t('openTest.name')}</label>
            <input
              id={`${id}-name`}
              className="open-test-input"
              maxLength={64}
              autoComplete="name"
              value={nickname}
              onChange={event => setNickname(event.target.value)}
            />
            <button type="submit" className="open-test-button" data-action="join" disabled={ask.isRunning}>
              {t('openTest.ask')}
            </button>
            {ask.error && (
              <p role="alert">{ask.error.status === 400 ? t('openTest.wrongMail') : refusalOf(t, ask.error)}</p>
            )}
          </form>
        )
      )}
    </>
  )
}

import { useRouter } from '@tanstack/react-router'
import { lazy } from 'react'

const ErrorState = lazy(() => import('./kit/ErrorState.tsx').then(found => ({ default: found.ErrorState })))

/** What a page that threw shows: the sentence, the request id and a way to try again. */
export function FailedPage({ error }: { error: unknown }) {
  const router = useRouter()
  return (
    <main id="page" tabIndex={-1} className="lg-plain-page">
      <ErrorState error={error} onRetry={() => void router.invalidate()} />
    </main>
  )
}

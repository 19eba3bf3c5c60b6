import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { SearchParser } from './page-spec.ts'

type Change<T> = Partial<{ [K in keyof T]: T[K] | undefined }>

/**
 * The page's typed search values and a way to change some of them. `undefined` takes one out of the address;
 * `replace` keeps typing out of the browser's history.
 */
export function usePageSearch<T extends object>(
  parse: SearchParser<T>,
): [T, (change: Change<T>, options?: { replace?: boolean }) => void] {
  const raw = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const change = useCallback(
    (next: Change<T>, options: { replace?: boolean } = {}) => {
      void navigate({
        to: '.',
        search: ((before: Record<string, unknown>) => ({ ...before, ...next })) as never,
        replace: options.replace ?? false,
      })
    },
    [navigate],
  )
  return [parse(raw), change]
}

import { useEffect, useState } from 'react'
import type { RulesView } from '../contract.ts'

export interface Work {
  /** What stands in the editor. */
  source: string
  /** Otherwise than what is in force. */
  isChanged: boolean
  /** Otherwise than what the server keeps. */
  isUnsaved: boolean
  write: (source: string) => void
}

/** The text that somebody works on: the kept draft, or what is in force, until something is typed. */
export function useWork(rules: RulesView | undefined): Work {
  const kept = rules ? (rules.draft ?? rules.source) : ''
  const [typed, setTyped] = useState<string | null>(null)
  useEffect(() => {
    // What was typed is what is kept now: from here on the server says.
    if (typed !== null && typed === kept) setTyped(null)
  }, [typed, kept])
  const source = typed ?? kept
  return {
    source,
    isChanged: rules !== undefined && (source !== rules.source || rules.published === 0),
    isUnsaved: typed !== null && typed !== kept,
    write: setTyped,
  }
}

import Link from '@cloudscape-design/components/link'
import type { ReactNode } from 'react'
import { openableLink } from '../../kernel/links.ts'

interface OutsideLinkProps {
  /** As somebody wrote it. */
  href: string
  /** The address itself, unless said. */
  children?: ReactNode
}

/** A link that people gave: it opens beside the console, or is plain text where it must not open at all. */
export function OutsideLink({ href, children = href }: OutsideLinkProps) {
  const address = openableLink(href, location.origin)
  if (address === null) return <span translate="no">{href}</span>
  return (
    <Link href={address} external>
      {children}
    </Link>
  )
}

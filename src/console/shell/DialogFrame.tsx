import './cloudscape.css.ts'
import { type ReactNode, useEffect } from 'react'
import { TextsProvider } from './TextsProvider.tsx'

/** What a dialog of components needs where the page around it is plain HTML. It comes with the first such dialog. */
export default function DialogFrame({ children }: { children: ReactNode }) {
  // A plain dialog that is open stands above everything, and nothing else can be reached.
  useEffect(() => {
    for (const open of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) open.close()
  }, [])
  return <TextsProvider>{children}</TextsProvider>
}

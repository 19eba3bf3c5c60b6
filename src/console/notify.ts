import { createStore } from './store.ts'

export interface Notice {
  id: string
  tone: 'success' | 'info' | 'warning' | 'error' | 'progress'
  text: string
  header?: string | undefined
  requestId?: string | undefined
  action?: { label: string; run: () => void }
}

export const notices = createStore<readonly Notice[]>([])
let count = 0

/** Shows a line above the page. Good news leaves by itself after six seconds; the rest waits to be read. */
export function notify(notice: Omit<Notice, 'id'> & { id?: string }): string {
  count += 1
  const id = notice.id ?? `notice-${count}`
  notices.set([{ ...notice, id }, ...notices.get().filter(one => one.id !== id)].slice(0, 8))
  if (notice.tone === 'success') setTimeout(() => dismiss(id), 6000)
  return id
}

export function dismiss(id: string): void {
  notices.set(notices.get().filter(one => one.id !== id))
}

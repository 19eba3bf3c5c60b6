import type { PageSpec } from './page-spec.ts'

let registered: readonly PageSpec[] = []

/** Takes all pages once, from `main`; the shell draws menus and breadcrumbs from them. Throws when two share a path. */
export function registerPages(pages: readonly PageSpec[]): void {
  const seen = new Set<string>()
  for (const page of pages) {
    if (seen.has(page.path)) throw new Error(`two pages have the path ${page.path}`)
    seen.add(page.path)
  }
  registered = pages
}

export function allRegistered(): readonly PageSpec[] {
  return registered
}

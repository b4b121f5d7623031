import type { ComponentType } from 'react'
import type { Page, Route } from './route'

type Part = ComponentType<{ readonly route: Route }>

/** Loads the code of a page: each is a file of its own, so that nobody waits for what other pages are made of. */
export const CODE: { readonly [P in Page]: () => Promise<Part> } = {
  data: async () => (await import('../data/DataPage')).DataPage,
  schema: async () => (await import('../schema/SchemaPage')).SchemaPage,
  users: async () => (await import('../users/UsersPage')).UsersPage,
  explain: async () => (await import('../explain/ExplainPage')).ExplainPage,
  live: async () => (await import('../live/LivePage')).LivePage,
  caching: async () => (await import('../caching/CachingPage')).CachingPage,
  health: async () => (await import('../health/HealthPage')).HealthPage,
  logs: async () => (await import('../logs/LogsPage')).LogsPage,
  api: async () => (await import('../api/ApiPage')).ApiPage,
  settings: async () => (await import('../settings/SettingsPage')).SettingsPage,
}

/** Begins to load the code of a page, while the session is found out. What fails is tried, and told, by who shows the page. */
export function loadAhead(page: Page): void {
  CODE[page]().catch(() => {})
}

/** When a browser is taken for idle that does not say so. */
const SOON_MILLIS = 1000

/** Loads what is missing once the browser has nothing else to do; returns a way to leave it. */
export function loadAll(): () => void {
  const load = () => (Object.keys(CODE) as Page[]).forEach(loadAhead)
  // Safari has no idle callbacks
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(load, SOON_MILLIS)
    return () => clearTimeout(timer)
  }
  const id = requestIdleCallback(load)
  return () => cancelIdleCallback(id)
}

import type { Client } from '@orestes/sdk'

/** As many as a table or a list follows live, unless the server allows fewer. */
const MOST = 500

interface Setting {
  readonly key: string
  readonly value: string | null
}

/** How many objects a live query of the dashboard may have, by what the server allows. */
export async function loadLimit(client: Client, signal: AbortSignal): Promise<number> {
  return limitOf((await client.request('/-/settings', { signal })) as readonly Setting[])
}

/** The same from the settings; what is out of bounds counts as the bound, and none is below 1. */
export function limitOf(settings: readonly Setting[]): number {
  const allowed = ['live.max-window', 'query.max-results'].map((key) =>
    Number(settings.find((setting) => setting.key === key)?.value ?? MOST),
  )
  return Math.max(1, Math.min(MOST, ...allowed))
}

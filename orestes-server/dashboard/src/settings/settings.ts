import type { Client } from '@orestes/sdk'

/** A configuration key of the server, as it is in force. */
export interface Setting {
  readonly key: string
  /** Null for a secret. */
  readonly value: string | null
  readonly source: 'flag' | 'environment' | 'default'
  readonly set: boolean
  readonly secret: boolean
  readonly type: string
  readonly default: string
  readonly description: string
  /** Name of the environment variable. */
  readonly variable: string
}

export async function loadSettings(client: Client, signal: AbortSignal): Promise<readonly Setting[]> {
  return (await client.request('/-/settings', { signal })) as readonly Setting[]
}

/** Settings in which all words are found, in any case; with `isSetOnly` those that somebody has set. */
export function matching(
  settings: readonly Setting[],
  words: string,
  isSetOnly: boolean,
): readonly Setting[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return settings.filter((setting) => {
    const text = textOf(setting).toLowerCase()
    return (!isSetOnly || setting.set) && wanted.every((word) => text.includes(word))
  })
}

function textOf({ key, value, source, variable, description }: Setting): string {
  return [key, value ?? '', source, variable, description].join(' ')
}

/** The value as people are told of it. */
export function valueOf({ value, secret, set }: Setting): string {
  if (secret) {
    return set ? 'set, and secret' : 'not set'
  }
  return value === null || value === '' ? 'none' : value
}

/** Where the value comes from, in words. */
export function sourceOf({ source, key, variable }: Setting): string {
  switch (source) {
    case 'flag':
      return `flag --${key}`
    case 'environment':
      return variable
    case 'default':
      return 'default'
  }
}

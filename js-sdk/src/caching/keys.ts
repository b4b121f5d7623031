/** Returns whether a key is that of a query. */
export function isQuery(key: string): boolean {
  return key.includes('/query?')
}

/** Returns the key under which writes that concern the key are recorded. */
export function writes(key: string): string {
  return isQuery(key) ? queriesOf(key) : key
}

/** Returns the key of all queries of the class that an object or a query belongs to. */
export function queriesOf(key: string): string {
  return key.split('/', 3).join('/')
}

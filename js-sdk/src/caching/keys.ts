/** Whether a key is that of a query. */
export function isQuery(key: string): boolean {
  return key.includes('/query?')
}

/** Under what writes that concern the key are noted. */
export function writes(key: string): string {
  return isQuery(key) ? queriesOf(key) : key
}

/** What stands for all queries of the class that an object or a query belongs to. */
export function queriesOf(key: string): string {
  return key.split('/', 3).join('/')
}

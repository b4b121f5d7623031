/** A server of the group, as any of them tells of it. */
export interface Member {
  readonly address: string
  readonly self: boolean
}

/** Which server is shown, where there are several; a live query is known only where its subscribers are connected. */
export function groupText(servers: readonly Member[]): string | undefined {
  const own = servers.find(({ self }) => self)
  const others = servers.filter(({ self }) => !self).map(({ address }) => address)
  if (own === undefined || others.length === 0) return undefined
  const known = others.length === 1 ? 'another server' : `${others.length} other servers`
  return (
    `Shown is ${own.address}, the server that this dashboard reaches. ` +
    `Its group has ${known}, ${others.join(', ')}: what is followed there is on the dashboard of each.`
  )
}

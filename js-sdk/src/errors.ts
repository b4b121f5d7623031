/** Root of all errors this SDK throws. */
export class OrestesError extends Error {
  override name = 'OrestesError'
}

/**
The server answered, and said no. `reason` is one of the codes in `schema/errors.json`; branch on it, not on `message`.
*/
export class ServerError extends OrestesError {
  override name = 'ServerError' as const

  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
  ) {
    super(message)
  }
}

/** What arrived is not what the protocol says. */
export class ProtocolError extends OrestesError {
  override name = 'ProtocolError' as const
}

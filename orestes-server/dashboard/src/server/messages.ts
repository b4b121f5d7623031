import { ConnectionError, CredentialsError, ServerError } from '@orestes/sdk'

/** What browsers say where a script that a page loads later is not there (any more). */
const MISSING_PART = /dynamically imported module|Importing a module script failed/

/** What to tell a person of a failure, with what to do about it where that is known. */
export function messageOf(error: unknown): string {
  if (error instanceof ConnectionError) {
    return error.isOffline ? 'This device is offline.' : 'The server does not answer. Is it still running?'
  }
  if (error instanceof CredentialsError) {
    return 'The session has ended, or the credentials are wrong. Log in again.'
  }
  if (error instanceof ServerError && error.status === 503) {
    return `The server cannot do this at the moment: ${error.message}`
  }
  if (error instanceof TypeError && MISSING_PART.test(error.message)) {
    return 'A part of this page cannot be loaded: the server may have a newer version of it by now. Reload the page.'
  }
  return error instanceof Error ? error.message : String(error)
}

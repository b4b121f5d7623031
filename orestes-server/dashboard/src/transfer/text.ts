import { InputError } from '../server/values'

/** How long the page may be held up, and how much text is taken at once. */
const LONGEST_MILLIS = 12
const PIECE = 2 ** 16

/**
The text of a stream in pieces, between which the page can do what else it has to.

@param broken what to tell of a stream that ends in the middle, or is not UTF-8
@throws {InputError} with that
*/
export async function* textOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  broken: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const reader = stream.pipeThrough(new TextDecoderStream('utf-8', { fatal: true })).getReader()
  let began = performance.now()
  try {
    for (;;) {
      const { done, value } = await read(reader, broken)
      if (done) return
      for (let i = 0; i < value.length; i += PIECE) {
        signal.throwIfAborted()
        yield value.slice(i, i + PIECE)
        if (performance.now() - began > LONGEST_MILLIS) {
          await pause()
          began = performance.now()
        }
      }
    }
  } finally {
    // of what was not read to its end; a stream that failed has nothing to cancel
    reader.cancel().catch(() => {})
  }
}

async function read(
  reader: ReadableStreamDefaultReader<string>,
  broken: string,
): Promise<ReadableStreamReadResult<string>> {
  return reader.read().catch((error: unknown) => {
    throw error instanceof TypeError ? new InputError(broken) : error
  })
}

/** Lets everything else run once. Timers would make it a second in a window that nobody looks at. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}

import { InputError } from '../server/values'

/** Where an export goes. */
export interface Sink {
  write(text: string): Promise<void>
  /** Everything was written. */
  close(): Promise<void>
  /** Nothing of it is to stay. */
  abort(): Promise<void>
}

/** What browsers have that can write a file bit by bit. */
interface FilePicker {
  showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<{
    createWritable(): Promise<Sink>
  }>
}

/** What is kept in memory, where files cannot be written bit by bit. */
export const LARGEST_DOWNLOAD_MB = 512

/** Small texts are gathered, as each part of a blob has its price. */
const PART = 2 ** 22

/** Asks where to put the file, where the browser can; else the browser downloads it once it is complete. */
export async function openSink(name: string): Promise<Sink> {
  const picker = globalThis as FilePicker
  if (picker.showSaveFilePicker === undefined) {
    return new Download(name)
  }
  const handle = await picker.showSaveFilePicker({ suggestedName: name })
  return handle.createWritable()
}

/** A file that is put together by the browser, bounded in size. */
export class Download implements Sink {
  readonly #name: string
  readonly #most: number
  readonly #parts: Blob[] = []
  #texts: string[] = []
  #gathered = 0
  #bytes = 0

  /** @param most bytes */
  constructor(name: string, most = LARGEST_DOWNLOAD_MB * 2 ** 20) {
    this.#name = name
    this.#most = most
  }

  async write(text: string): Promise<void> {
    this.#texts.push(text)
    this.#gathered += text.length
    if (this.#gathered >= PART) this.#gather()
  }

  async close(): Promise<void> {
    this.#gather()
    const url = URL.createObjectURL(new Blob(this.#parts, { type: 'application/octet-stream' }))
    const link = document.createElement('a')
    link.href = url
    link.download = this.#name
    link.click()
    // the browser has begun with it by then
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
  }

  async abort(): Promise<void> {
    this.#parts.length = this.#texts.length = 0
  }

  #gather(): void {
    const part = new Blob(this.#texts)
    this.#texts = []
    this.#gathered = 0
    this.#bytes += part.size
    if (this.#bytes > this.#most) {
      throw new InputError(
        `This browser cannot write files bit by bit, so exports of more than ${LARGEST_DOWNLOAD_MB} MB are not possible with it. Use Chrome or Edge, or GET /v1/db/….`,
      )
    }
    this.#parts.push(part)
  }
}

/** One event of a stream. */
export interface StreamEvent {
  readonly type: string
  readonly data: string
}

/** Parses a `text/event-stream` (WHATWG HTML, section 9.2.6), as it arrives in pieces. */
export class EventParser {
  readonly #onEvent: (event: StreamEvent) => void
  #rest = ''
  #type = ''
  #data: string[] = []
  #id: string
  #lastEventId: string

  /** @param lastEventId that of the stream which this one continues */
  constructor(onEvent: (event: StreamEvent) => void, lastEventId = '') {
    this.#onEvent = onEvent
    this.#id = lastEventId
    this.#lastEventId = lastEventId
  }

  /** The id to continue from; empty if there was none. */
  get lastEventId(): string {
    return this.#lastEventId
  }

  push(text: string): void {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    lines.forEach((line) => this.#accept(line))
  }

  #accept(line: string): void {
    if (line === '') {
      this.#dispatch()
      return
    }
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (field === 'event') this.#type = value
    if (field === 'data') this.#data.push(value)
    if (field === 'id') this.#id = value
  }

  #dispatch(): void {
    const event = { type: this.#type || 'message', data: this.#data.join('\n') }
    const isEvent = this.#data.length > 0
    this.#lastEventId = this.#id
    this.#type = ''
    this.#data = []
    if (isEvent) {
      this.#onEvent(event)
    }
  }
}

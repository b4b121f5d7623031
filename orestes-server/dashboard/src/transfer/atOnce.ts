/** Does several things at the same time, but no more than a few. The first failure is the last thing that is begun. */
export class AtOnce {
  readonly #most: number
  readonly #running = new Set<Promise<void>>()
  #failure: { readonly error: unknown } | undefined

  constructor(most: number) {
    this.#most = most
  }

  /** Begins something once there is room for it; throws what has failed until then. */
  async begin(work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#most) await Promise.race(this.#running)
    this.#throwFailure()
    const run = work()
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => this.#running.delete(run))
    this.#running.add(run)
  }

  /** All that was begun is over; throws what has failed of it. */
  async end(): Promise<void> {
    await Promise.all(this.#running)
    this.#throwFailure()
  }

  /** All that was begun is over, however it ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#running)
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}

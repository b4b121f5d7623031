import { OutOfDateError, ServerError } from '@orestes/sdk'
import { describe, expect, it } from 'vitest'
import { deleteAll } from '../src/data/deletion'

const MANY = 2500

const selected = (count: number) =>
  new Map(Array.from({ length: count }, (_, i) => [`/db/Todo/${i}`, i + 1] as const))

const outOfDate = new OutOfDateError(412, 'Object Out Of Date', 'no')
const denied = new ServerError(466, 'Permission Denied', 'not yours')

/** Answers each batch by what a test says of each operation. */
function fakeBucket(answer: (id: string) => Error | undefined) {
  const sent: { delete: string; ifMatch: number }[][] = []
  const bucket = {
    bulk: async (operations: { delete: string; ifMatch: number }[]) => {
      sent.push(operations)
      return operations.map((each) => {
        const error = answer(each.delete)
        return error === undefined ? {} : { error }
      })
    },
  }
  return { bucket: bucket as unknown as Parameters<typeof deleteAll>[0], sent }
}

const never = new AbortController().signal

describe('a deletion', () => {
  it('is of the versions that were selected, in batches', async () => {
    const { bucket, sent } = fakeBucket(() => undefined)

    const { gone, problem } = await deleteAll(bucket, selected(MANY), never)

    expect(sent.map(({ length }) => length)).toEqual([1000, 1000, 500])
    expect(sent[2]?.[499]).toEqual({ delete: '/db/Todo/2499', ifMatch: 2500 })
    expect(gone.length).toBe(MANY)
    expect(problem).toBeUndefined()
  })

  it('leaves what was changed, and counts what is left over all batches', async () => {
    const { bucket } = fakeBucket((id) =>
      /\/(7|1001)$/.test(id) ? outOfDate : /\/2$/.test(id) ? denied : undefined,
    )

    const { gone, changed, problem } = await deleteAll(bucket, selected(1500), never)

    expect(gone.length).toBe(1497)
    expect(changed).toEqual(['/db/Todo/7', '/db/Todo/1001'])
    expect(problem).toMatch(/^3 objects are left: not yours – 2 of them changed/)
  })

  it('ends with the batch in which it was stopped', async () => {
    const abort = new AbortController()
    const { bucket, sent } = fakeBucket((id) => {
      if (id === '/db/Todo/5') abort.abort()
      return undefined
    })

    const { gone } = await deleteAll(bucket, selected(MANY), abort.signal)

    expect(sent.length).toBe(1)
    expect(gone.length).toBe(1000)
  })

  it('tells how far it got when a request fails', async () => {
    const { bucket } = fakeBucket((id) => {
      if (id === '/db/Todo/1000') throw new Error('gone away')
      return undefined
    })

    const { gone, problem } = await deleteAll(bucket, selected(MANY), never)

    expect(gone.length).toBe(1000)
    expect(problem).toBe('1500 objects are left: gone away')
  })
})

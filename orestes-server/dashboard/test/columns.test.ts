import { describe, expect, it } from 'vitest'
import { choiceOf, chosenIn, moved, switched, type Column } from '../src/data/columns'

const column = (path: string): Column => ({ path, kind: 'text', type: 'String', isEditable: true, width: 1 })
const ALL = ['id', 'text', 'done', 'updatedAt'].map(column)
const [ID, TEXT, DONE, UPDATED] = ALL as [Column, Column, Column, Column]

const paths = (columns: readonly Column[]) => columns.map(({ path }) => path).join()

describe('the choice of columns', () => {
  it.each([
    ['', 'id,text,done,updatedAt'],
    ['done,text', 'id,done,text'],
    ['text,id', 'id,text'],
    ['id', 'id'],
    ['gone,text,text', 'id,text'],
  ])('%s shows %s', (text, shown) => {
    expect(paths(chosenIn(text, ALL))).toBe(shown)
  })

  it('is written so that it is read as it was', () => {
    const chosen = [ID, DONE, TEXT]

    expect(chosenIn(choiceOf(chosen, ALL), ALL)).toEqual(chosen)
    expect(choiceOf(ALL, ALL)).toBe('')
    expect(choiceOf([ID], ALL)).toBe('id')
  })

  it('moves a column past its neighbour, and none before the key', () => {
    expect(paths(moved(ALL, 'done', -1))).toBe('id,done,text,updatedAt')
    expect(paths(moved(ALL, 'done', 1))).toBe('id,text,updatedAt,done')
    expect(moved(ALL, 'text', -1)).toBe(ALL)
    expect(moved(ALL, 'updatedAt', 1)).toBe(ALL)
    expect(moved(ALL, 'gone', 1)).toBe(ALL)
  })

  it('shows a column at last, or not', () => {
    expect(paths(switched(ALL, TEXT, false))).toBe('id,done,updatedAt')
    expect(paths(switched([ID, UPDATED], TEXT, true))).toBe('id,updatedAt,text')
  })
})

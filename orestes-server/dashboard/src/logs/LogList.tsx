import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Line } from './entries'
import { LogLine } from './LogLine'

/** Of a line that is not open, before it was measured. */
const ROW_HEIGHT = 34

/** So near to its end a list counts as at its end. */
const NEAR = 24

const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
}

interface LogListProps {
  readonly lines: readonly Line[]
  readonly isFollowing: boolean
}

/** The log: only the lines in sight are in the page. Stays at its end while it is there; arrow keys move, Enter opens a line. */
export function LogList({ lines, isFollowing }: LogListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const { active, setActive, moveTo } = useActiveLine(scroller)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 8,
  })
  const end = useEnd(scroller, lines, () => virtual.scrollToIndex(lines.length - 1, { align: 'end' }))
  const place = lines.findIndex(({ key }) => key === active)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined || !(event.target instanceof HTMLElement) || event.target.tagName === 'PRE') return
    const from = place < 0 ? lines.length : place
    const next = Math.min(lines.length - 1, Math.max(0, from + step))
    event.preventDefault()
    virtual.scrollToIndex(next)
    moveTo(lines[next]?.key)
  }
  const show = useShown(scroller)
  const toggle = (key: string) => {
    setActive(key)
    if (!open.has(key)) {
      // whoever reads one is not to be taken away from it
      end.leave()
      show(key)
    }
    setOpen((before) => {
      const after = new Set(before)
      if (!after.delete(key)) after.add(key)
      return after
    })
  }
  return (
    <div className="log-frame">
      <div
        className="log"
        role="log"
        aria-label="Log"
        aria-live={isFollowing && end.isThere ? 'polite' : 'off'}
        tabIndex={0}
        ref={scroller}
        onScroll={end.onScroll}
        onKeyDown={onKeyDown}
      >
        <div className="log-body" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => (
            <LogLine
              key={key}
              index={index}
              line={lines[index]!}
              start={start}
              measure={virtual.measureElement}
              isOpen={open.has(String(key))}
              isActive={key === active}
              toggle={toggle}
            />
          ))}
        </div>
      </div>
      {!end.isThere && (
        <button type="button" className="button small newest" onClick={end.go}>
          To the newest
        </button>
      )}
    </div>
  )
}

/** Whether a list is at its end, where it then stays when lines come. Elsewhere what is looked at stays in sight when the oldest go. */
function useEnd(
  scroller: { readonly current: HTMLElement | null },
  lines: readonly Line[],
  scrollToEnd: () => void,
) {
  const [isThere, setThere] = useState(true)
  const latest = useRef(lines)
  useLayoutEffect(() => {
    const gone = latest.current.findIndex(({ key }) => key === lines[0]?.key)
    latest.current = lines
    if (isThere) {
      scrollToEnd()
    } else if (gone > 0 && scroller.current) {
      scroller.current.scrollTop -= gone * ROW_HEIGHT
    }
  }, [lines])
  return {
    isThere,
    leave: () => setThere(false),
    go: () => {
      setThere(true)
      scrollToEnd()
      scroller.current?.focus()
    },
    onScroll: () => {
      const { scrollHeight, scrollTop, clientHeight } = scroller.current!
      setThere(scrollHeight - scrollTop - clientHeight < NEAR)
    },
  }
}

/** The line that is reached by Tab, and a way to another one, which gets the focus once it is in the page. */
function useActiveLine(scroller: { readonly current: HTMLElement | null }) {
  const [active, setActive] = useState<string>()
  const wanted = useRef<string>(undefined)
  const giveFocus = () => {
    if (wanted.current === undefined) return
    const line = lineIn(scroller.current, wanted.current)
    if (!line) return
    line.focus({ preventScroll: true })
    wanted.current = undefined
  }
  useLayoutEffect(giveFocus)
  const moveTo = (key: string | undefined) => {
    wanted.current = key
    setActive(key)
    giveFocus()
  }
  return { active, setActive, moveTo }
}

/** Brings a line into sight once it has become larger. */
function useShown(scroller: { readonly current: HTMLElement | null }) {
  const wanted = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    lineIn(scroller.current, wanted.current)?.parentElement?.scrollIntoView({ block: 'nearest' })
    wanted.current = undefined
  })
  return (key: string) => {
    wanted.current = key
  }
}

function lineIn(list: HTMLElement | null, key: string): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-line="${key}"]`) ?? null
}

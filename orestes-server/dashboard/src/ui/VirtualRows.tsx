import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode } from 'react'

/** Of a row, before it was measured. */
const ROW_HEIGHT = 56

interface VirtualRowsProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  readonly children: (item: T) => ReactNode
  /** Is told which are in the page, by their places; has to stay the same function. */
  readonly show?: (first: number, last: number) => void
}

/** A list of any length that scrolls by itself: only the rows in sight are in the page. */
export function VirtualRows<T>({ label, items, keyOf, children, show }: VirtualRowsProps<T>) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => keyOf(items[index]!),
    overscan: 8,
  })
  const inPage = virtual.getVirtualItems()
  const [first, last] = [inPage[0]?.index ?? 0, inPage.at(-1)?.index ?? -1]
  useEffect(() => show?.(first, last), [show, first, last])
  return (
    <div className="virtual-rows" role="region" aria-label={label} tabIndex={0} ref={scroller}>
      <ul className="rows" style={{ height: virtual.getTotalSize() }}>
        {inPage.map(({ index, start, key }) => (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {children(items[index]!)}
          </li>
        ))}
      </ul>
    </div>
  )
}

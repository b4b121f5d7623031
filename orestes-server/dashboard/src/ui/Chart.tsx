import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

/** A line of a chart; its colour is that of the theme with this name. */
export interface Line {
  readonly color: string
  readonly values: readonly number[]
}

interface ChartProps {
  /** What it shows, for those who do not see it. */
  readonly label: string
  /** Milliseconds since 1970, rising. */
  readonly times: readonly number[]
  readonly lines: readonly Line[]
}

const HEIGHT = 200

/** Lines over time, from zero up. Whoever shows it also says the newest values in words. */
export function Chart({ label, times, lines }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const data = [times.map((at) => at / 1000), ...lines.map(({ values }) => [...values])] as uPlot.AlignedData
  const newest = useRef(data)
  newest.current = data
  const colors = lines.map(({ color }) => color).join()
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const draw = () => {
      plot.current?.destroy()
      const element = place.current as HTMLDivElement
      plot.current = new uPlot(optionsOf(element, colors.split(',')), newest.current, element)
    }
    const width = new ResizeObserver(([entry]) => {
      if (entry !== undefined) plot.current?.setSize({ width: entry.contentRect.width, height: HEIGHT })
    })
    draw()
    width.observe(place.current as HTMLDivElement)
    scheme.addEventListener('change', draw)
    return () => {
      width.disconnect()
      scheme.removeEventListener('change', draw)
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [colors])
  useEffect(() => plot.current?.setData(newest.current), [times, lines])
  return <div ref={place} className="chart" role="img" aria-label={label} />
}

/** A canvas knows no style sheets, so it is told what they say. */
function optionsOf(element: HTMLElement, colors: readonly string[]): uPlot.Options {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const axis: uPlot.Axis = {
    stroke: color('quiet'),
    grid: { stroke: color('line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    cursor: { show: false },
    legend: { show: false },
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] } },
    axes: [
      { ...axis, values: (_plot, moments) => moments.map(timeOf) },
      { ...axis, size: 44 },
    ],
    series: [{}, ...colors.map((name) => ({ stroke: color(name), width: 2, points: { show: false } }))],
  }
}

/** As the reader writes times of a day. */
function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString()
}

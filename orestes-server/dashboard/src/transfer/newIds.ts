import type { NewId } from './rowReaders'

/**
Ids for the objects of a file that has none: by the file and the row, so that whoever imports it again after a break does not make
them twice. A file that was changed is another one.
*/
export function idsFor(bucket: string, { name, size, lastModified }: File): NewId {
  const mark = digest([name, size, lastModified].join('/'))
  return (row) => `/db/${bucket}/${mark}-${String(row).padStart(ROW_DIGITS, '0')}`
}

/** So that the order of ids is that of the rows. */
const ROW_DIGITS = 7

/** 64 bits of a text (cyrb53, with both halves whole); what browsers have for that is for pages that come over https only. */
function digest(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x9e3779b1)
    b = Math.imul(b ^ text.charCodeAt(i), 0x5f356495)
  }
  const left = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  const right = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(left ^ (left >>> 13), 0xc2b2ae35)
  return [left, right].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}

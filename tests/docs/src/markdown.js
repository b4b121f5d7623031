/** A reader of Markdown, as far as the checks of documents need it. */

const FENCE = /^```.*?^```$/gms

/** Returns the fenced blocks of a language, each with the words after it and its text. */
export function blocks(markdown, language) {
  const fence = new RegExp(`^\`\`\`${language}([^\\S\\n][^\\n]*)?\\n(.*?)^\`\`\`$`, 'gms')
  return [...markdown.matchAll(fence)].map(([, words = '', text]) => ({ words: words.trim(), text }))
}

/** Returns the text without its fenced blocks; the lines keep their numbers. */
export function withoutBlocks(markdown) {
  return markdown.replace(FENCE, (block) => block.replace(/[^\n]/g, ''))
}

/** Returns the sentences of paragraphs and lists. Tables and headings have none. */
export function sentences(markdown) {
  return withoutBlocks(markdown)
    .split(/\n\s*\n|\n(?=\s*[*-] )|\n(?=\s*\d+\. )/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '' && !/^[|#<]/.test(paragraph))
    .flatMap((paragraph) =>
      paragraph
        .replace(/`[^`]*`/g, 'code')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/\s+/g, ' ')
        .split(/(?<=[.!?:]) (?=[A-Z(*"])/),
    )
}

/** Returns the targets of links and pictures. */
export function links(markdown) {
  const text = withoutBlocks(markdown).replace(/`[^`\n]*`/g, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target)
}

/** Returns the anchors of the headings, in the way of GitHub. */
export function anchors(markdown) {
  const seen = new Map()
  return [...withoutBlocks(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
}

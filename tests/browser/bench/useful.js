/**
Runs in a page. Resolves with the time on the page's clock, which began with its navigation, when
the first frame is drawn in which an element of `selector` contains `text`. Checks on every change
of the page, so that nothing between two checks is missed. Rejects after a minute.
*/
export function untilUseful({ selector, text }) {
  const isThere = () => [...document.querySelectorAll(selector)].some((it) => it.textContent.includes(text))
  return new Promise((resolve, reject) => {
    const drawn = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    const look = () => {
      if (!isThere()) return
      observer.disconnect()
      drawn()
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { subtree: true, childList: true, characterData: true })
    look()
    setTimeout(() => reject(new Error(`${location.hash} never showed ${selector} with ${text}`)), 60_000)
  })
}

/** Small helpers for the page. */

export const byId = (id) => document.getElementById(id)

export function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

/** Does something, and tells the reader if it does not work. */
export async function attempt(action) {
  byId('problem').textContent = ''
  try {
    await action()
  } catch (error) {
    byId('problem').textContent = error.message
  }
}

/** Has a form do this with its values, instead of loading a page; it is empty for the next ones at once. */
export function onSubmit(id, action) {
  byId(id).addEventListener('submit', (event) => {
    event.preventDefault()
    const values = Object.fromEntries(new FormData(event.target))
    event.target.reset()
    attempt(() => action(values, event.submitter))
  })
}

/** Small helpers for making and updating elements. */

/** A new element. Properties are set as they are, except for dataset, which is merged. */
export function element(name, { dataset, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  Object.assign(made.dataset, dataset)
  made.append(...children)
  return made
}

/** Sets a text only if it differs, so that nothing is announced or painted twice. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text
}

/** Brings the children into the given order and drops all others; what is in place stays untouched, with its focus. */
export function arrange(parent, children) {
  const wanted = new Set(children)
  for (const child of [...parent.children]) {
    if (!wanted.has(child)) child.remove()
  }
  children.forEach((child, i) => {
    if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] ?? null)
  })
}

/** Marks something that somebody else changed for a moment. */
export function flash(node) {
  node.classList.remove('flash')
  void node.offsetWidth // restarts the animation
  node.classList.add('flash')
}

/**
Every page of the dashboard: its address behind `#`, and what has to be drawn for it to be usable.
`selector` and `text` are of the last response, so that no heading and no empty table counts. The
benchmark has filled the classes.
*/
export const PLACES = {
  data: { at: '#/data/Item', selector: '[data-cell="0:2"]', text: 'item e' },
  few: { at: '#/data/Few', selector: '[data-cell="0:2"]', text: 'item e' },
  filter: {
    at: '#/data/Item?q={"shelf":7}',
    selector: '[data-cell="0:2"]',
    text: 'item e',
  },
  order: { at: '#/data/Item?sort=-shelf', selector: '[data-cell="0:2"]', text: 'item e' },
  object: { at: '#/data/Item/e50000', selector: 'dialog textarea', text: 'item e50000' },
  schema: { at: '#/schema', selector: '.class-cards h2', text: 'Item' },
  class: { at: '#/schema/Item', selector: '[aria-labelledby=indexes] li code', text: 'id' },
  users: { at: '#/users', selector: '.virtual-rows li', text: 'user' },
  explain: { at: '#/explain/Item/e50000', selector: '[aria-labelledby=steps] li', text: '' },
  live: { at: '#/live', selector: '[aria-labelledby=queries] tbody th', text: 'Item' },
  caching: { at: '#/caching', selector: '[aria-labelledby=reads] canvas', text: '' },
  health: { at: '#/health', selector: '[aria-labelledby=storage] p', text: ' ' },
  // a server without entries shows an empty list
  logs: { at: '#/logs', selector: '.log-message, .logs .empty', text: ' ' },
  api: { at: '#/api', selector: '.card .operation summary', text: '' },
  settings: { at: '#/settings', selector: '.settings tbody td', text: '' },
}

/** Page of a visitor who has not logged in. */
export const LOG_IN = { at: '', selector: 'form', text: 'Password' }

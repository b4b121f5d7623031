/** The news feed: reads the newest stories again whenever the bound asks for it, and shows where each read came from. */
import { Refused, write } from './api.js'
import { arrange, element, flash, setText } from './elements.js'
import { showRound } from './inspector.js'
import { Reader } from './reader.js'
import { Receipt, duration } from './receipt.js'
import { queryKey } from '/sdk/index.js'

const BUCKET = 'demo.News'
const PAGE = 12
const MOST = 60
const ATTEMPTS = 5
const TICK_MILLIS = 200
const RETRY_MILLIS = 1500

const $ = (id) => document.getElementById(id)
const stories = new Map()
let reader
let count = PAGE
let retryAt = 0
let round = Promise.resolve()
let isReading = false

export function showNews() {
  reader = new Reader(Number(document.querySelector('input[name=bound]:checked').value))
  arrange(
    $('stories'),
    Array.from({ length: PAGE }, () => new Story().item),
  )
  $('read-again').addEventListener('click', () => read())
  $('more').addEventListener('click', showMore)
  $('bound').addEventListener('change', changeBound)
  document.addEventListener('visibilitychange', tick)
  setInterval(tick, TICK_MILLIS)
  read()
}

function showMore() {
  count = Math.min(MOST, count + PAGE)
  $('more').hidden = count === MOST
  read()
}

function changeBound(event) {
  reader.boundSeconds = Number(event.target.value)
  read()
}

/** Keeps what is shown within the bound while somebody looks. */
function tick() {
  showFilterAge()
  if (!document.hidden && !isReading && reader.needsFilter && performance.now() > retryAt) read()
}

function showFilterAge() {
  const age = reader.filterAgeSeconds
  const text = Number.isFinite(age)
    ? `Filter ${duration(Math.floor(age))} old, renewed at ${reader.boundSeconds} s`
    : 'Filter not here yet'
  setText($('filter-age'), text)
}

/** One round after the other, so that each is summed up by itself. */
function read({ withNewFilter = false } = {}) {
  round = round.then(async () => {
    isReading = true
    await readRound(withNewFilter).then(
      () => showAnswering(true),
      () => showAnswering(false),
    )
    isReading = false
  })
  return round
}

function showAnswering(isAnswering) {
  $('inspector').classList.toggle('lost', !isAnswering)
  if (!isAnswering) {
    retryAt = performance.now() + RETRY_MILLIS
    setText($('summary'), 'The server does not answer. These stories were read before.')
  }
}

async function readRound(withNewFilter) {
  const { boundSeconds } = reader
  const filter = withNewFilter || reader.needsFilter ? [await reader.loadFilter()] : []
  const query = await reader.readQuery(queryKey(BUCKET, { sort: { publishedAt: -1 }, count }))
  const found = await Promise.all(query.value.map(({ id }) => readStory(id)))
  const readings = found.filter((reading) => reading !== undefined)
  show(readings, boundSeconds)
  showRound(readings, [...filter, query], boundSeconds)
}

/** Nothing if the story was deleted: the list may be as old as the bound. */
function readStory(id) {
  return reader.readObject(id).catch((failure) => {
    if (!(failure instanceof Refused) || failure.status !== 404) throw failure
  })
}

function show(readings, boundSeconds) {
  const ids = readings.map(({ resource }) => resource)
  ids.filter((id) => !stories.has(id)).forEach((id) => stories.set(id, new Story(id)))
  ids.forEach((id, i) => stories.get(id).show(readings[i], boundSeconds))
  arrange(
    $('stories'),
    ids.map((id) => stories.get(id).item),
  )
}

/** One story of the feed; an empty one holds its place. */
class Story {
  constructor(id = '') {
    this.meta = element('p', { className: 'meta' })
    this.headline = element('h3', { textContent: '\u00a0' })
    this.likes = element('span', { textContent: '–' })
    this.like = element(
      'button',
      { type: 'button', className: 'like' },
      element('span', { className: 'heart', textContent: '♥', ariaHidden: 'true' }),
      this.likes,
    )
    this.receipt = new Receipt()
    this.item = element(
      'li',
      { className: 'story', dataset: { id } },
      this.meta,
      this.headline,
      this.like,
      this.receipt.node,
    )
    this.like.addEventListener('click', () => this.value && this.addLike())
  }

  show(reading, boundSeconds) {
    const { value, isNamed } = reading
    if (this.value !== undefined && this.value.version !== value.version) flash(this.item)
    this.showValue(value)
    this.item.classList.toggle('named', isNamed)
    this.receipt.show(reading, boundSeconds)
  }

  showValue(value) {
    this.value = value
    const day = new Date(value.publishedAt).toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
    })
    setText(this.meta, `${value.section} · ${day} · ${value.id}`)
    setText(this.headline, value.headline)
    this.showLikes(value.likes)
  }

  showLikes(likes) {
    setText(this.likes, String(likes))
    this.like.ariaLabel = `Like “${this.value.headline}”, ${likes} so far`
  }

  /** Counts at once; says so if it did not work. */
  async addLike() {
    if (this.like.ariaDisabled === 'true') return
    this.like.ariaDisabled = 'true'
    this.showLikes(this.value.likes + 1)
    setText($('news-problem'), '')
    try {
      this.showValue(await increment(this.value))
      setText($('announcement'), `You like “${this.value.headline}”.`)
    } catch (failure) {
      this.showLikes(this.value.likes)
      setText($('news-problem'), `Your like was not saved: ${reason(failure)}`)
    }
    this.like.ariaDisabled = 'false'
    await read({ withNewFilter: true })
  }
}

function reason(failure) {
  return failure instanceof Refused ? failure.message : 'the server does not answer.'
}

/** Writes only if nobody else did since; else looks again and tries once more, so that no like is lost. */
async function increment(story) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write('PUT', story.id, { ...story, likes: story.likes + 1 }, story.version)
    } catch (failure) {
      if (!(failure instanceof Refused) || failure.status !== 412 || attempt === ATTEMPTS) throw failure
      story = await reader.readNewest(story.id)
    } finally {
      reader.wrote(story.id)
    }
  }
}

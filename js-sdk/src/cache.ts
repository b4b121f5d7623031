/** Entry point `@orestes/sdk/cache`: a cache for places that have none. */
export {
  cachingFetch,
  memoryStore,
  type CachingFetchOptions,
  type ResponseStore,
  type StoredResponse,
} from './caching/httpCache.js'

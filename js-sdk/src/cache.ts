/** Entry point `@orestes/sdk/cache`: a cache for environments without one. */
export {
  cachingFetch,
  memoryStore,
  type CachingFetchOptions,
  type ResponseStore,
  type StoredResponse,
} from './caching/httpCache.js'

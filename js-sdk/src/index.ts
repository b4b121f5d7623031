export type { AbortOptions } from './aborting.js'
export type { Answer, CacheMode, Consistency, Demand, StalenessGuardOptions } from './caching/demand.js'
export type { HandshakeStore } from './caching/handshakes.js'
export { queryKey, type Json, type Query as QueryParameters } from './caching/queryKey.js'
export { BloomFilter } from './caching/sketch.js'
export type { Provenance, Source } from './caching/source.js'
export { StalenessGuard } from './caching/staleness.js'
export { connect, type AnySchema, type Client, type ConnectOptions, type UserOf } from './client.js'
export type { DeviceNetwork } from './connectivity.js'
export type { RequestOptions } from './connector.js'
export {
  ConflictError,
  ConnectionError,
  CredentialsError,
  ERROR_CODES,
  ExistsError,
  NotFoundError,
  OrestesError,
  OutOfDateError,
  PermissionError,
  ProtocolError,
  ServerError,
  type ErrorCode,
} from './errors.js'
export { bucketOf, idOf, type Ref } from './ids.js'
export { eventsUrl, subscribe, type LiveListener, type LiveQuery } from './live/eventSource.js'
export { applyMatch } from './live/resultList.js'
export type { LiveEvent } from './live/follow.js'
export type { ClassDescriptor, FieldDescriptor, Metamodel } from './metamodel.js'
export type {
  Bucket,
  Changed,
  ConditionalOptions,
  Draft,
  LoadOptions,
  WriteOptions,
} from './objects/bucket.js'
export type { BulkOperation, BulkResult } from './objects/bulk.js'
export type { RetryOptions } from './objects/optimistic.js'
export { Update, type Change, type Path, type PathTo, type UpdateOperations } from './objects/update.js'
export type { Filter, Operators } from './query/filter.js'
export type { Aggregate, Row } from './query/aggregate.js'
export type { Conditions, GeoPoint, QuerySpec, Sort } from './query/conditions.js'
export type { ListOptions, Query } from './query/query.js'
export { Live, type LiveResult, type Observer, type Unsubscribe } from './query/live.js'
export type { ReadOptions, Result } from './session.js'
export type { Transaction, TransactionBucket } from './transactions/transaction.js'
export type { TransactionOptions } from './transactions/run.js'
export { memoryTokens, webTokens, type TokenStore, type WebTokensOptions } from './user/tokens.js'
export type { User, UserOptions, Users } from './user/users.js'
export type {
  Acl,
  FilterMessage,
  Identified,
  MatchMessage,
  MatchType,
  Metadata,
  Operation,
  Permission,
  Stored,
} from './wire.js'

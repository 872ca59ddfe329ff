/** A key of the service, without its secret: one entry of a key file. */
export interface ApiKey {
  /** Its name in logs, ledgers and metrics: 1 to 64 letters, digits, `.`, `_` or `-`. */
  readonly name: string;
  /** SHA-256 of the secret (UTF-8): 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** The key is refused from this time on: ISO 8601 with a time zone. Default: never. */
  readonly expiresAt?: string | undefined;
  /** Ids of the models that the key may use. Default: all. */
  readonly models?: readonly string[] | undefined;
  /** Largest number of requests in any minute, 1 or more. Default: the handler's limit. */
  readonly requestsPerMinute?: number | undefined;
  /** False: its requests are free, although the service charges credits. Default: true. */
  readonly paysCredits?: boolean | undefined;
  /** When the key was made, for information only: ISO 8601 with a time zone. */
  readonly createdAt?: string | undefined;
}

/** Where the handler looks up keys. */
export interface Keys {
  /** The key with this secret, expired or not; undefined if there is none. The time it takes must reveal nothing about the secrets. */
  find(secret: string): Promise<ApiKey | undefined>;
}

/** Whether a key is refused at a time, in milliseconds since 1970. A time that cannot be read counts as past, so that a damaged key lets nobody in. */
export function isExpired({ expiresAt }: Pick<ApiKey, "expiresAt">, nowMs: number): boolean {
  return expiresAt !== undefined && !(nowMs < Date.parse(expiresAt));
}

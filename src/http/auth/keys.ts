/** A key of the service, without its secret: what a key file holds of it. */
export interface ApiKey {
  /** Its name, in logs, ledgers and metrics. 1 to 64 letters, digits, `.`, `_` or `-`. */
  readonly name: string;
  /** SHA-256 of the secret (UTF-8), 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** From then on the key is refused: ISO 8601 with a time zone. Default: never. */
  readonly expiresAt?: string | undefined;
  /** Ids of the models that it may ask. Default: all. */
  readonly models?: readonly string[] | undefined;
  /** Requests a minute, at most. Default: the handler's limit. */
  readonly requestsPerMinute?: number | undefined;
  /** False: its calls cost nothing where others pay with credits. Default: true. */
  readonly paysCredits?: boolean | undefined;
  /** When it was made, for people: ISO 8601 with a time zone. */
  readonly createdAt?: string | undefined;
}

/** Where the handler looks up who asks. */
export interface Keys {
  /** The key whose secret this is, expired or not; undefined where there is none. The time it takes says nothing about the secrets. */
  find(secret: string): Promise<ApiKey | undefined>;
}

/** Whether a key is refused at a time, in milliseconds since 1970. A time that cannot be read has passed: who is not sure lets nobody in. */
export function isExpired({ expiresAt }: Pick<ApiKey, "expiresAt">, nowMs: number): boolean {
  return expiresAt !== undefined && !(nowMs < Date.parse(expiresAt));
}

/** What a server had to break off when it was closed. */
export interface Closed {
  /** Requests still running after `shutdownMs`: their connections were closed and their calls aborted. */
  readonly droppedRequests: number;
}

export interface RunningServer extends AsyncDisposable {
  /** The service's address, with the base path: `http://127.0.0.1:8780`. */
  readonly url: string;
  readonly port: number;
  /** True from the answer to the golden request until `close()`. */
  readonly ready: boolean;
  /**
   * Resolves when the golden request has been answered.
   * @throws {DecideError} the reason if the golden request fails, in which case the server keeps running but never becomes ready; `closed` if the
   *   server is closed first.
   */
  whenReady(): Promise<void>;
  /**
   * Stops accepting requests, gives running ones `shutdownMs` to finish, and drops the rest. Leaves the decider and the ledger open. Further calls
   * return the same result.
   */
  close(): Promise<Closed>;
}

/** What was not finished when the server was closed. */
export interface Closed {
  /** Requests that ran for longer than `shutdownMs`: their connections were closed, and their calls aborted. */
  readonly droppedRequests: number;
}

export interface RunningServer extends AsyncDisposable {
  /** Where clients find it, with the base path: `http://127.0.0.1:8780`. */
  readonly url: string;
  readonly port: number;
  /** True from the golden request's answer to `close()`. */
  readonly ready: boolean;
  /**
   * Resolves when the golden request has been answered.
   * @throws {DecideError} why it cannot be; the server then stays alive but is never ready. `closed` when the server was closed before.
   */
  whenReady(): Promise<void>;
  /** Stops accepting, lets requests finish for `shutdownMs`, and drops those that have not. Leaves the decider and the ledger open. May be called more than once. */
  close(): Promise<Closed>;
}

/** A file of a model, as its source lists it. */
export interface SourceFile {
  /** Relative to the model's folder, with forward slashes: `onnx/model.onnx`. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** Where a model's files come from: a folder, or a model hub. */
export interface ModelSource {
  /** The folder's name, or `org/name`. Safe to print. */
  readonly name: string;
  /** The commit, 40 lower-case hexadecimal digits; absent for a folder. */
  readonly revision?: string;
  /** As the model's card states it, such as `apache-2.0`; absent where it states none. */
  readonly licence?: string;
  readonly files: readonly SourceFile[];
  /**
   * Path of the file on this machine's disk, whole and checked.
   * @throws {AddingFailed}
   * @throws `signal.reason` once the signal is aborted.
   */
  fetch(path: string, signal?: AbortSignal): Promise<string>;
}

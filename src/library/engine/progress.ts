/** Called often while a file loads. Bytes are those of the file itself, even if the server compresses it. */
export type OnProgress = (progress: Progress) => void;

export interface Progress {
  /** The file's name. */
  readonly file: string;
  /** Bytes that are there, 0 to `totalBytes`, including those kept from an earlier visit or a broken download. */
  readonly loadedBytes: number;
  readonly totalBytes: number;
}

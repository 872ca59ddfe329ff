/** A file on its way; called often. Bytes are those of the file, whatever the server packs them in. */
export type OnProgress = (progress: Progress) => void;

export interface Progress {
  /** The file's name. */
  readonly file: string;
  /** Bytes that are there, 0 to `totalBytes`: those of an earlier visit or an earlier, broken download count. */
  readonly loadedBytes: number;
  readonly totalBytes: number;
}

import type { Patience } from "./patience.ts";
import type { HubSettings } from "./settings.ts";

/** What all requests for one model share. */
export interface HubContext {
  readonly model: string;
  readonly settings: HubSettings;
  readonly patience: Patience;
  readonly fetch: typeof globalThis.fetch;
  /** Where requests go wrong that are then made again, or a file is left out: a sentence for people. */
  readonly onNotice: (sentence: string) => void;
  readonly onProgress: (progress: DownloadProgress) => void;
  /** True if the environment names a proxy that this Node does not use. */
  readonly unusedProxy: boolean;
}

/** A file, as the hub lists it. */
export interface HubFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Names the content: the SHA-256 of a large file (64 digits), or git's SHA-1 of a small one (40 digits). */
  readonly digest: string;
}

export interface DownloadProgress {
  /** The file's path in the model, such as `onnx/model.onnx`. */
  readonly file: string;
  /** What lies on the disk, with what earlier downloads left. It can go down when a server cannot continue. */
  readonly receivedBytes: number;
  readonly totalBytes: number;
}

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openHubModel } from "../../../../src/tools/models/hub/hub-model.ts";
import type { HubModelOptions } from "../../../../src/tools/models/hub/hub-model.ts";
import type { ModelSource } from "../../../../src/tools/models/model-source.ts";
import { ToolError } from "../../../../src/tools/tool-error.ts";
import { rejection } from "../../../support/rejection.ts";
import { startHub } from "../../../support/hub-server.ts";
import type { HubServer } from "../../../support/hub-server.ts";
import { tempDir } from "../../../support/temp-dir.ts";

export const MODEL = "some-org/some-model";
export const COMMIT = "0123456789abcdef0123456789abcdef01234567";
export const TOKEN = "hf_secretsecretsecret";
export const SMALL = "config.json";
export const LARGE = "onnx/model.onnx";
export const FILES = {
  [SMALL]: Buffer.from('{"model_type":"bert"}'),
  "README.md": Buffer.from("# Some model"),
  [LARGE]: Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7) % 256)),
};
export const BLOBS = `models--some-org--some-model/blobs`;

/** A hub with one model, and an empty cache. */
export interface Place {
  readonly hub: HubServer;
  readonly cache: string;
  /** The pauses between tries, none of which is waited for. */
  readonly pausesMs: readonly number[];
  readonly notices: string[];
  open(options?: Partial<HubModelOptions> & { readonly model?: string }): Promise<ModelSource>;
  /** The names of the files in blobs/. */
  blobs(): Promise<readonly string[]>;
  end(): Promise<void>;
}

export async function newPlace(cardData: object = { license: "mit" }, files: Readonly<Record<string, Buffer>> = FILES): Promise<Place> {
  const hub = await startHub(MODEL, { commit: COMMIT, revisions: ["main", "v1", "refs/pr/1"], cardData, files });
  const folder = tempDir();
  const cache = join(folder, "hub");
  const pausesMs: number[] = [];
  const notices: string[] = [];
  return {
    hub,
    cache,
    pausesMs,
    notices,
    open: ({ model = MODEL, env, ...options } = {}) =>
      openHubModel(model, {
        env: { HF_ENDPOINT: hub.url, HF_HOME: folder, ...env },
        pause: (pauseMs, signal) => {
          pausesMs.push(pauseMs);
          return signal?.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve();
        },
        onNotice: (sentence) => notices.push(sentence),
        ...options,
      }),
    blobs: () => readdir(join(cache, BLOBS)),
    end: () => hub.close(),
  };
}

/** The message of a call that must fail as adding fails. */
export async function failure(call: () => unknown): Promise<string> {
  const error = await rejection(call);
  if (error instanceof ToolError) return error.message;
  throw new Error("expected a ToolError", { cause: error });
}

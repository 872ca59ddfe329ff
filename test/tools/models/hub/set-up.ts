import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openHubModel } from "../../../../src/tools/models/hub/hub-model.ts";
import type { HubModelOptions } from "../../../../src/tools/models/hub/hub-model.ts";
import type { Patience } from "../../../../src/tools/models/hub/patience.ts";
import type { ModelSource } from "../../../../src/tools/models/source.ts";
import { AddingFailed } from "../../../../src/tools/models/adding-failed.ts";
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

/** Time that passes only when a test says so. */
export class TestPatience implements Patience {
  readonly pausesMs: number[] = [];
  readonly #waiting = new Set<() => void>();

  pause(pauseMs: number, signal: AbortSignal | undefined): Promise<void> {
    this.pausesMs.push(pauseMs);
    return signal?.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve();
  }

  listen(giveUp: () => void): { heard: () => void; end: () => void } {
    this.#waiting.add(giveUp);
    return { heard: () => undefined, end: () => this.#waiting.delete(giveUp) };
  }

  /** As if every server had been silent for too long. */
  pass(): void {
    for (const giveUp of this.#waiting) giveUp();
  }
}

/** A hub with one model, and an empty cache. */
export interface Place {
  readonly hub: HubServer;
  readonly cache: string;
  readonly patience: TestPatience;
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
  const patience = new TestPatience();
  const notices: string[] = [];
  return {
    hub,
    cache,
    patience,
    notices,
    open: ({ model = MODEL, env, ...options } = {}) =>
      openHubModel(model, {
        env: { HF_ENDPOINT: hub.url, HF_HOME: folder, ...env },
        patience,
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
  if (error instanceof AddingFailed) return error.message;
  throw new Error("expected an AddingFailed", { cause: error });
}

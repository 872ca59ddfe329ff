// Of the hub's library only what reads is used, and only when a model of a hub is added: build.mjs leaves the rest of it out. Its own download is not
// used: it checks no hash, cannot continue, and writes files that others may be writing, too. Through `fetch`, its requests are made as all of ours.
import { listFiles, modelInfo } from "@huggingface/hub";
import { AddingFailed } from "../adding-failed.ts";
import type { HubContext, HubFile } from "./context.ts";
import { isSafePath } from "./names.ts";
import { request } from "./request.ts";
import { withTries } from "./tries.ts";

/** Longer ones, or ones with line breaks, are no name of a licence. */
const LICENCE = /^[^\p{Cc}]{1,100}$/u;

/** What a model's card states: an id, several, or a name of its own beside `other`. */
function licenceOf(card: unknown): string | undefined {
  const { license, license_name: ownName } = (card ?? {}) as Readonly<Record<string, unknown>>;
  const stated = Array.isArray(license) ? license.join(", ") : license;
  const licence = stated === "other" && ownName !== undefined ? ownName : stated;
  return typeof licence === "string" && LICENCE.test(licence) ? licence : undefined;
}

const MOST_REPLY_BYTES = 32 * 1024 * 1024;
const MOST_FILES = 10_000;
const COMMIT = /^[0-9a-f]{40}$/;
const SHA256 = /^[0-9a-f]{64}$/;

export interface HubListing {
  /** 40 hexadecimal digits. */
  readonly commit: string;
  readonly licence?: string;
  readonly files: readonly HubFile[];
}

/** What the hub says about a model at a branch, a tag or a commit. @throws {AddingFailed} */
export async function readListing(context: HubContext, revision: string, signal: AbortSignal | undefined): Promise<HubListing> {
  const { model, settings, onNotice } = context;
  const common = { hubUrl: settings.endpoint, fetch: fetchReply(context, signal) };
  try {
    const info: unknown = await modelInfo({ name: model, revision, additionalFields: ["sha", "cardData"], ...common });
    const { sha: commit, cardData } = info as { sha: unknown; cardData: unknown };
    if (typeof commit !== "string" || !COMMIT.test(commit)) throw unexpected(context);
    const files: HubFile[] = [];
    let unsafe = 0;
    for await (const { type, path, size, oid, lfs } of listFiles({ repo: model, revision: commit, recursive: true, ...common })) {
      if (type !== "file") continue;
      const digest = lfs?.oid ?? oid ?? "";
      const sizeBytes = lfs?.size ?? size;
      if (!(lfs === undefined ? COMMIT : SHA256).test(digest) || !Number.isSafeInteger(sizeBytes) || sizeBytes < 0)
        throw unexpected(context);
      if (isSafePath(path)) files.push({ path, sizeBytes, digest });
      else unsafe += 1;
      if (files.length + unsafe > MOST_FILES) {
        throw new AddingFailed(
          `${model} has more than ${MOST_FILES} files, which no model has. Check the name on ${settings.endpoint}/${model}.`,
        );
      }
    }
    if (unsafe > 0) {
      const [are, their] = unsafe === 1 ? ["file", "is left out: its name is"] : ["files", "are left out: their names are"];
      onNotice(`${unsafe} ${are} of ${model} ${their} not safe on every system.`);
    }
    const licence = licenceOf(cardData);
    return { commit, files, ...(licence !== undefined && { licence }) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof AddingFailed) throw error;
    // The library trips over replies of another form.
    throw unexpected(context, error);
  }
}

function unexpected({ settings: { host } }: HubContext, cause?: unknown): AddingFailed {
  return new AddingFailed(`${host} does not answer as a model hub does. Check that HF_ENDPOINT is the address of one.`, { cause });
}

/** A `fetch` for the library: it is tried again, its failures are ours, and a reply is whole and of bounded size. */
function fetchReply(context: HubContext, signal: AbortSignal | undefined): typeof fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = { accept: "application/json", ...(init?.headers as Record<string, string> | undefined) };
    return withTries(
      () =>
        request(context, { url, headers, signal }, async (response, body) => {
          const parts: Uint8Array[] = [];
          let sizeBytes = 0;
          for await (const part of body) {
            sizeBytes += part.length;
            if (sizeBytes > MOST_REPLY_BYTES) throw unexpected(context);
            parts.push(part);
          }
          const link = response.headers.get("link");
          return new Response(Buffer.concat(parts), { headers: link === null ? {} : { link } });
        }),
      context,
      signal,
    );
  };
}

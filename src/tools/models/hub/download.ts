import { open, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { AddingFailed } from "../adding-failed.ts";
import type { HubContext, HubFile } from "./context.ts";
import { holds } from "./digest.ts";
import { finishIncomplete, leaveIncomplete, takeIncomplete } from "./incomplete-file.ts";
import { request } from "./request.ts";
import { Interrupted, withTries } from "./tries.ts";

/** A try that brought so much does not count as a failure, so that a large file gets through a bad line. */
const FURTHER_BYTES = 1024 * 1024;

export interface Download {
  readonly url: string;
  readonly file: HubFile;
  /** Where the file goes once it is whole. */
  readonly blob: string;
  readonly onReceived: (receivedBytes: number) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Downloads a file, from where an earlier download of it ended. It is `blob` only if it is whole and right; if it is not whole, what there is stays
 * for the next time.
 * @throws {AddingFailed}
 */
export async function download(context: HubContext, { blob, ...rest }: Download): Promise<void> {
  const { file, signal } = rest;
  const path = await takeIncomplete(blob);
  try {
    const { continued } = await receive(context, path, rest);
    if (!(await holds(path, file, signal))) {
      await rm(path);
      if (!continued) throw wrong(context, file, "does not have the hash");
      context.onNotice(`What an earlier download left of ${file.path} was damaged. It is downloaded from its start.`);
      await receive(context, path, rest);
      if (!(await holds(path, file, signal))) throw wrong(context, file, "does not have the hash");
    }
    await finishIncomplete(path, blob);
  } catch (error) {
    if (error instanceof WrongFile) await rm(path, { force: true });
    // Where nothing is left there is nothing to rename; and what went wrong says more than why it cannot be.
    else await leaveIncomplete(path, blob).catch(() => undefined);
    throw error;
  }
}

async function receive(
  context: HubContext,
  path: string,
  { url, file, onReceived, signal }: Omit<Download, "blob">,
): Promise<{ continued: boolean }> {
  const handle = await open(path, "a");
  try {
    let receivedBytes = (await handle.stat()).size;
    if (receivedBytes > file.sizeBytes) receivedBytes = await empty(handle);
    const continued = receivedBytes > 0;
    onReceived(receivedBytes);
    await withTries(
      async (cameFurther) => {
        if (receivedBytes === file.sizeBytes) return;
        const headers = { "accept-encoding": "identity", ...(receivedBytes > 0 && { range: `bytes=${receivedBytes}-` }) };
        await request(context, { url, headers, signal }, async (response, body) => {
          const { startBytes, totalBytes } = partOf(response);
          if (totalBytes !== undefined && totalBytes !== file.sizeBytes) throw wrong(context, file, "is not of the size");
          if (startBytes !== receivedBytes) {
            context.onNotice(`${context.settings.host} does not continue ${file.path}. It is downloaded from its start.`);
            receivedBytes = await empty(handle);
            if (startBytes !== 0) throw brokenOff(context, file);
          }
          const furtherBytes = receivedBytes + FURTHER_BYTES;
          for await (const part of body) {
            receivedBytes += part.length;
            if (receivedBytes > file.sizeBytes) throw wrong(context, file, "is not of the size");
            await handle.writeFile(part);
            if (receivedBytes >= furtherBytes) cameFurther();
            onReceived(receivedBytes);
          }
        });
        if (receivedBytes < file.sizeBytes) throw brokenOff(context, file);
      },
      context,
      signal,
    );
    await handle.sync();
    return { continued };
  } finally {
    await handle.close();
  }
}

async function empty(handle: FileHandle): Promise<0> {
  await handle.truncate(0);
  return 0;
}

/** Which part of the file a response holds. `startBytes` is undefined if it holds none: the range that was asked for is not there. */
function partOf({ status, headers }: Response): { startBytes: number | undefined; totalBytes: number | undefined } {
  if (status === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
    return { startBytes: start === undefined ? undefined : Number(start), totalBytes: total === undefined ? undefined : Number(total) };
  }
  if (status !== 200) return { startBytes: undefined, totalBytes: undefined };
  const length = headers.get("content-length");
  // A compressed body's length says nothing about the file.
  return { startBytes: 0, totalBytes: length === null || headers.has("content-encoding") ? undefined : Number(length) };
}

function brokenOff({ settings: { host } }: HubContext, { path }: HubFile): Interrupted {
  return new Interrupted(`The download of ${path} from ${host} broke off.`, {
    advice: "Run the command again: it continues where the download ended.",
  });
}

class WrongFile extends AddingFailed {}

function wrong({ model, settings: { host, endpoint } }: HubContext, { path }: HubFile, what: string): WrongFile {
  return new WrongFile(
    `The file ${path} of ${model} ${what} that ${host} states, and was deleted. Run the command again; if it stays so, report it on ${endpoint}/${model}.`,
  );
}

import { DecideError } from "../../../errors.ts";
import { MANIFEST, type CommonManifest, type ListedFile } from "./manifest.ts";

/** Most that a manifest, and its seal, may have. Real ones have 25 KB. */
export const MAX_MANIFEST_BYTES = 65_536;

/** Reads files of one folder and hashes bytes; a platform brings it. */
export interface PackFiles {
  /** Where the pack is, for messages. */
  readonly place: string;
  /** Advice about a damaged file, in words after a colon. Default: to install the pack again. */
  readonly remedy?: string | undefined;
  /** Whether reading a file costs next to nothing: then all are read, needed or not. */
  readonly areLocal: boolean;
  /** Whether the manifest with this SHA-256 was checked when the package was built. Default: none was. */
  isOfThisBuild?(seal: string): boolean;
  /**
   * Reads no more than `listed.sizeBytes`, or MAX_MANIFEST_BYTES.
   * @param listed what the file must be, for files that the manifest lists
   * @throws {Error} of any kind; a DecideError is passed on
   */
  read(name: string, listed?: ListedFile): Promise<Uint8Array<ArrayBuffer>>;
  /** Where copies are kept: the file from its source, if what was read came from a copy and is damaged; otherwise undefined. */
  readAnew?(name: string, listed: ListedFile): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Frees the memory of what it read, now rather than when garbage is collected. Nothing may use it any more. Absent where that is not possible. */
  free?(bytes: Uint8Array<ArrayBuffer>): void;
  /** Lower-case hexadecimal SHA-256. */
  sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string>;
}

/** A pack whose manifest matches its seal. Its other files come, and are checked, one by one. */
export interface ModelPack<M extends CommonManifest> {
  readonly manifest: M;
  /** SHA-256 of the manifest, in lower-case hexadecimal. */
  readonly seal: string;
  /**
   * Resolves when the file has come: to the very bytes that were checked, so that nothing can change between check and use.
   * @throws {DecideError} `model_invalid` naming the file at fault: not listed or not opened, unreadable, of another size or with other content.
   */
  read(name: string): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Waits until all files have come, and frees them: a loaded model has copies of its own.
   * @throws {DecideError} `model_invalid` as `read`, also for a file that nobody has read
   */
  finish(): Promise<void>;
}

/**
 * Opens a pack: checks its manifest against the seal beside it, and begins to read other files, which are checked against the manifest.
 * @param parse the text of a manifest.json as a manifest
 * @param wanted names the files to open. Default: all of them.
 * @throws {DecideError} `model_invalid` for a manifest that is unreadable or does not match its seal; and what `parse` throws
 */
export async function openPack<M extends CommonManifest>(
  files: PackFiles,
  parse: (manifestText: string, seal: string) => M | Promise<M>,
  wanted: (manifest: M) => readonly string[] | Promise<readonly string[]> = (manifest) => Object.keys(manifest.files),
): Promise<ModelPack<M>> {
  const sealFile = `${MANIFEST}.sha256`;
  const read = (name: string): Promise<Uint8Array<ArrayBuffer>> => readable(files, name, () => files.read(name));
  const both = await Promise.allSettled([read(MANIFEST), read(sealFile)]);
  // Where neither can be read, the manifest is named, whichever failed first.
  const [manifestBytes, sealBytes] = both.map(valueOf) as [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>];
  // The format of the sha256sum command: the digest, two spaces, the file's name.
  const sealed = new TextDecoder().decode(sealBytes);
  const seal = await files.sha256(manifestBytes);
  if (sealed !== `${seal}  ${MANIFEST}\n`) throw damaged(files, MANIFEST, `does not match ${sealFile}`);
  const manifest = await parse(new TextDecoder().decode(manifestBytes), seal);
  const names = await wanted(manifest);
  const contents = new Map([...new Set(names)].map((name) => [name, checked(files, name, manifest.files[name])] as const));
  const all = Promise.all(contents.values());
  // It may fail before anybody waits for it. Whoever does is told why.
  all.catch(() => undefined);
  return {
    manifest,
    seal,
    read: (name) => contents.get(name) ?? Promise.reject(unlisted(files, name)),
    finish: async () => {
      for (const bytes of await all) files.free?.(bytes);
      contents.clear();
    },
  };
}

/**
 * The tokenizer of a pack.
 * @param make reads the content of its tokenizer.json, and may throw
 * @throws {DecideError} `model_invalid` when it is not one that is read.
 */
export async function tokenizerOf<T>(
  { manifest, read }: Pick<ModelPack<CommonManifest & { readonly tokenizer: { readonly file: string } }>, "manifest" | "read">,
  make: (tokenizerJson: unknown) => T,
  maxBytes: number,
  remedy: string,
): Promise<T> {
  const { file } = manifest.tokenizer;
  const bytes = await read(file);
  try {
    if (bytes.length > maxBytes) throw new Error("it is too large");
    return make(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new DecideError("model_invalid", `${file} is not a tokenizer that this version of umpire reads: ${remedy}.`, { cause });
  }
}

export function damaged(files: PackFiles, name: string, what: string): DecideError {
  const message = `${name} of the model in ${files.place} ${what}. The pack is damaged or was changed: ${files.remedy ?? "install it again"}.`;
  return new DecideError("model_invalid", message);
}

async function checked(files: PackFiles, name: string, listed: ListedFile | undefined): Promise<Uint8Array<ArrayBuffer>> {
  if (listed === undefined) throw unlisted(files, name);
  const bytes = await readable(files, name, () => files.read(name, listed));
  const flaw = await flawOf(files, bytes, listed);
  if (flaw === undefined) return bytes;
  const anew = await readable(files, name, () => files.readAnew?.(name, listed));
  const flawAnew = anew === undefined ? flaw : await flawOf(files, anew, listed);
  if (anew === undefined || flawAnew !== undefined) throw damaged(files, name, flawAnew ?? flaw);
  return anew;
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === "rejected") throw settled.reason;
  return settled.value;
}

/** The fault of a file's content, in words that follow its name. */
async function flawOf(files: PackFiles, bytes: Uint8Array<ArrayBuffer>, listed: ListedFile): Promise<string | undefined> {
  const flaw = sizeFlaw(bytes.byteLength, listed);
  if (flaw !== undefined) return flaw;
  return (await files.sha256(bytes)) === listed.sha256 ? undefined : "does not have the SHA-256 that the manifest states";
}

/** The fault of a file's size, in words that follow its name. */
export function sizeFlaw(sizeBytes: number, listed: ListedFile): string | undefined {
  return sizeBytes === listed.sizeBytes ? undefined : `has ${sizeBytes} bytes where the manifest says ${listed.sizeBytes}`;
}

async function readable<T>(files: PackFiles, name: string, read: () => T): Promise<Awaited<T>> {
  try {
    return await read();
  } catch (cause) {
    if (DecideError.isInstance(cause)) throw cause;
    const message = `${name} of the model in ${files.place} cannot be read: ${files.remedy ?? "install the package or the pack again"}.`;
    throw new DecideError("model_invalid", message, { cause });
  }
}

function unlisted(files: PackFiles, name: string): DecideError {
  return damaged(files, MANIFEST, `does not list ${name}, which it refers to`);
}

/** The download is given up after this many attempts in a row that bring nothing new. */
const MAX_EMPTY_ATTEMPTS = 3;
const PAUSE_MS = 300;
/** A connection that brings nothing for so long is broken. A slow one brings something. */
const STALL_MS = 30_000;

/**
 * Fetches a file from byte `at` on into `bytes`, which has the file's length. When the connection breaks, the download continues where it broke (an HTTP
 * range), as long as each attempt brings something new. A server that does not answer ranges properly is asked once more for the whole file.
 * @param onBytes called whenever bytes have come, with the number of bytes that are there from the file's start; it falls when a server starts again
 * @throws {Error} that says what the server did
 */
export async function download(url: URL, bytes: Uint8Array, at: number, onBytes: (there: number) => void): Promise<void> {
  let there = at;
  let furthest = at;
  let withRanges = true;
  for (let empty = 0; there < bytes.length;) {
    const from = withRanges ? there : 0;
    try {
      for await (const { chunk, start } of chunks(url, from, bytes.length)) {
        bytes.set(chunk, start);
        there = start + chunk.length;
        onBytes(there);
      }
      if (there < bytes.length) throw new Error(`the server sent ${there} bytes of ${bytes.length}`);
    } catch (error) {
      empty = there > furthest ? 0 : empty + 1;
      furthest = Math.max(furthest, there);
      if (error instanceof WrongAnswer || empty >= MAX_EMPTY_ATTEMPTS) {
        if (from === 0) throw error;
        withRanges = false;
        empty = 0;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * empty));
    }
  }
}

/**
 * Fetches a file whose size is not known.
 * @throws {Error} that says what the server did, also when the file has more than `maxBytes`
 */
export async function downloadSmall(url: URL, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(maxBytes);
  let there = 0;
  for await (const { chunk, start } of chunks(url, 0, maxBytes)) {
    bytes.set(chunk, start);
    there = start + chunk.length;
  }
  return bytes.slice(0, there);
}

/** An answer that the server would give again. */
class WrongAnswer extends Error {}

export class NotThere extends WrongAnswer {}

const NOT_THERE = [403, 404, 410];

async function* chunks(url: URL, from: number, sizeBytes: number): AsyncGenerator<{ chunk: Uint8Array; start: number }> {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = <T>(next: Promise<T>): Promise<T> => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      ending.abort(new Error(`the server sent nothing for ${STALL_MS} ms`));
    }, STALL_MS);
    return next;
  };
  try {
    // umpire has its own cache (file-cache.ts): a second copy in the browser's would waste space.
    const response = await wait(
      fetch(url, {
        cache: "no-store",
        credentials: "same-origin",
        signal: ending.signal,
        ...(from > 0 && { headers: { range: `bytes=${from}-` } }),
      }),
    );
    const { status } = response;
    if (!response.ok || response.body === null)
      throw new (NOT_THERE.includes(status) ? NotThere : WrongAnswer)(`the server answered ${status}`);
    if (response.headers.get("content-type")?.startsWith("text/html"))
      throw new NotThere("the server answered with an HTML page instead of the file");
    const range = response.headers.get("content-range");
    // Another origin may hide this header: then only the file's hash can tell.
    if (status === 206 && range !== null && !range.startsWith(`bytes ${from}-`))
      throw new WrongAnswer("the server sent a different range than was asked for");
    // A server without ranges starts again from the first byte.
    let start = status === 206 ? from : 0;
    const reader = response.body.getReader();
    for (let read = await wait(reader.read()); !read.done; read = await wait(reader.read())) {
      if (start + read.value.length > sizeBytes)
        throw new WrongAnswer(`the server sent more than the ${sizeBytes} bytes that the file should have`);
      yield { chunk: read.value, start };
      start += read.value.length;
    }
  } finally {
    clearTimeout(timer);
    // Nothing more is fetched of an answer that is not wanted.
    ending.abort();
  }
}

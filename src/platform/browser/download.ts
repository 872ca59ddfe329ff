/** Downloads that bring no byte, one after the other, before it is given up. */
const MAX_EMPTY_ATTEMPTS = 3;
const PAUSE_MS = 300;

/**
 * Fetches a file's bytes from `at` on into `bytes`, whose length is the file's. A connection that breaks is taken up where it broke (an HTTP range),
 * as long as each new one brings something.
 * @param onBytes told how many bytes are there, whenever there are more
 * @throws {Error} in words that say what the server did
 */
export async function download(url: URL, bytes: Uint8Array, at: number, onBytes: (there: number) => void): Promise<void> {
  let there = at;
  for (let empty = 0; there < bytes.length;) {
    const before = there;
    try {
      for await (const { chunk, start } of chunks(url, there, bytes.length)) {
        bytes.set(chunk, start);
        there = start + chunk.length;
        onBytes(there);
      }
      if (there < bytes.length && there <= before) throw new Error(`the server sent ${there} bytes of ${bytes.length}`);
    } catch (error) {
      empty = there > before ? 0 : empty + 1;
      if (error instanceof WrongAnswer || empty >= MAX_EMPTY_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * empty));
    }
  }
}

/** An answer that another try would only repeat. */
class WrongAnswer extends Error {}

async function* chunks(url: URL, from: number, sizeBytes: number): AsyncGenerator<{ chunk: Uint8Array; start: number }> {
  // What is kept is kept by umpire's own cache; another copy would only take the browser's space.
  const response = await fetch(url, {
    cache: "no-store",
    credentials: "same-origin",
    ...(from > 0 && { headers: { range: `bytes=${from}-` } }),
  });
  if (!response.ok || response.body === null) throw new WrongAnswer(`the server answered ${response.status}`);
  if (response.headers.get("content-type")?.startsWith("text/html"))
    throw new WrongAnswer("the server answered with a page, not with the file");
  // A server without ranges, or one that packs what it sends, starts again from the first byte.
  let start = response.status === 206 && response.headers.get("content-range")?.startsWith(`bytes ${from}-`) ? from : 0;
  const reader = response.body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (start + read.value.length > sizeBytes)
        throw new WrongAnswer(`the server sent more than the ${sizeBytes} bytes that the manifest says`);
      yield { chunk: read.value, start };
      start += read.value.length;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Downloads that bring nothing new, one after the other, before it is given up. */
const MAX_EMPTY_ATTEMPTS = 3;
const PAUSE_MS = 300;

/**
 * Fetches a file's bytes from `at` on into `bytes`, whose length is the file's. A connection that breaks is taken up where it broke (an HTTP range),
 * as long as each new one brings something; a server that has no use for ranges is asked once more for the whole.
 * @param onBytes told how many bytes from the file's start are there, whenever some have come: fewer than before when a server started again
 * @throws {Error} in words that say what the server did
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
  const range = response.headers.get("content-range");
  // Another origin may keep the range to itself: then the file's hash decides.
  if (response.status === 206 && range !== null && !range.startsWith(`bytes ${from}-`))
    throw new WrongAnswer("the server sent another range");
  // A server that does not know ranges starts again from the first byte.
  let start = response.status === 206 ? from : 0;
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

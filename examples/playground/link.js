// @ts-check
// A request as the fragment of a link, the part behind "#", which browsers send to no server:
// "#v1." and the request as JSON, compressed (deflate, which has a checksum) and written as base64url.

const VERSION = "1";
const PREFIX = `#v${VERSION}.`;
/** Some programs cut longer links. */
const MAX_LINK_CHARACTERS = 30_000;
/** A compressed text may be much larger than it looks. The model reads at most about 80,000 characters. */
const MAX_REQUEST_BYTES = 1_000_000;

const BROKEN = "This link is broken: a part of it is missing or was changed on the way. Copy the whole link again.";

/** @param {string} hash */
export const isLink = (hash) => /^#v\d+(\.|$)/.test(hash);

/**
 * @param {unknown} request
 * @returns {Promise<string>} starts with "#"
 * @throws {Error} with a message for the user, if the link would be too long
 */
export async function toFragment(request) {
  const stream = new Blob([JSON.stringify(request)]).stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = PREFIX.length + Math.ceil((bytes.length * 4) / 3);
  if (length > MAX_LINK_CHARACTERS) {
    const [has, most] = [length, MAX_LINK_CHARACTERS].map((count) => count.toLocaleString("en"));
    throw new Error(
      `This request is too long for a link: the link would have ${has} characters, and some programs cut links of more than ${most}. Copy the request as JSON instead, and open it as a file.`,
    );
  }
  const base64 = btoa(String.fromCharCode(...bytes));
  return PREFIX + base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * @param {string} fragment
 * @returns {Promise<unknown>} any JSON value, still to be checked
 * @throws {Error} with a message for the user, if the link is broken
 */
export async function fromFragment(fragment) {
  const version = /^#v(\d+)\./.exec(fragment)?.[1];
  if (version !== undefined && version !== VERSION) {
    throw new Error("This link was made by another version of the playground, and this one cannot read it.");
  }
  try {
    const base64 = fragment.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return JSON.parse(await inflate(bytes));
  } catch (error) {
    throw new Error(BROKEN, { cause: error });
  }
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function inflate(bytes) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [text, size] = ["", 0];
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > MAX_REQUEST_BYTES) {
      await reader.cancel();
      throw new RangeError("too large");
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

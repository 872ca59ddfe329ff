// @ts-check
// Reads text files that were opened or dropped.

/**
 * @param {File} file
 * @param {number} maxBytes
 * @param {string} advice a sentence for a file that is larger
 * @throws {Error} with a message for the user
 */
export async function readTextFile(file, maxBytes, advice) {
  if (file.size > maxBytes) throw new Error(`${file.name} is too large. ${advice}`);
  const bytes = await file.arrayBuffer();
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll("\r\n", "\n");
    if (text.includes("\0")) throw new TypeError("binary");
    return { name: file.name, text };
  } catch {
    throw new Error(`${file.name} is not a plain text file. Text, Markdown, CSV and JSON files in UTF-8 can be read.`);
  }
}

/** Lines under headings: `# Spanish`, then a text a line. @param {string} content */
export function sectionsOf(content) {
  const sections = {};
  let heading = "";
  for (const line of content.split("\n").map((text) => text.trim())) {
    if (line.startsWith("# ")) sections[(heading = line.slice(2))] = [];
    else if (line !== "") sections[heading].push(line);
  }
  return sections;
}

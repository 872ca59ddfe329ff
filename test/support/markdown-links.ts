const FENCED = /^```.*\n[\s\S]*?^```$/gmu;
const INLINE_CODE = /`[^`\n]*`/gu;
const LINK = /\[[^\]]*\]\(([^)\s]+)\)/gu;
const HEADING = /^#{1,6} +(.+)$/gmu;

/** Where the links of a Markdown page lead, in order. Code is not looked at, except for the text of a link. */
export function linksOf(page: string): string[] {
  const prose = page.replace(FENCED, "").replace(INLINE_CODE, "code");
  return [...prose.matchAll(LINK)].map(([, target = ""]) => target);
}

/** The anchors of a page's headings, made as GitHub makes them. */
export function anchorsOf(page: string): string[] {
  return [...page.replace(FENCED, "").matchAll(HEADING)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
      .replaceAll(" ", "-"),
  );
}

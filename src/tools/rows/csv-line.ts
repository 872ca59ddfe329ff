/** One line in the format of RFC 4180. @param end default: that of the RFC */
export function csvLine(fields: readonly string[], end: "\r\n" | "\n" = "\r\n"): string {
  return `${fields.map(quoted).join(",")}${end}`;
}

function quoted(field: string): string {
  return /[",\r\n]/u.test(field) || field.trim() !== field ? `"${field.replaceAll('"', '""')}"` : field;
}

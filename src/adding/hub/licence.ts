/** Longer ones, or ones with line breaks, are no name of a licence. */
const LICENCE = /^[^\p{Cc}]{1,100}$/u;

/** What a model's card states: an id, several, or a name of its own beside `other`. */
export function licenceOf(card: unknown): string | undefined {
  const { license, license_name: ownName } = (card ?? {}) as Readonly<Record<string, unknown>>;
  const stated = Array.isArray(license) ? license.join(", ") : license;
  const licence = stated === "other" && ownName !== undefined ? ownName : stated;
  return typeof licence === "string" && LICENCE.test(licence) ? licence : undefined;
}

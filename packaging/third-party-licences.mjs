// The licences of all that the package holds of others, as a text for people.
const LINE = "=".repeat(100);

/**
 * @param {object} of
 * @param {readonly import("./bundled.mjs").BundledPackage[]} of.bundled
 * @param {readonly Awaited<ReturnType<import("./packs.mjs").packPart>>[]} of.packs
 * @param {string} of.ownLicence text of the Apache License 2.0
 */
export function toThirdPartyLicences({ bundled, packs, ownLicence }) {
  const weights = packs.map(({ id, startedFrom }) => ({
    ...startedFrom,
    licence: { id: startedFrom.licenceId, text: ownLicence },
    place: `the model ${id} was trained from its weights and uses its vocabulary`,
  }));
  const code = bundled.map((one) => ({ ...one, place: [...one.files].sort().join("\n    ") }));
  const sections = [...code, ...weights].map(({ name, version, licence, place }) =>
    [LINE, `${name} ${version}, ${licence.id}`, `In: ${place}`, "", licence.text].join("\n"),
  );
  const notices = bundled.flatMap(({ name, version, licence }) =>
    licence.notices === undefined ? [] : [[LINE, `Parts of ${name} ${version}, as its makers list them`, "", licence.notices].join("\n")],
  );
  const opening = "Code and models of others inside this package, with their licences. sbom.cdx.json lists the same for programs.";
  return `${[opening, ...sections, ...notices].join("\n\n")}\n`;
}

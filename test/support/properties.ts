import fc from "fast-check";

// A setup file of each project. A property that fails prints its seed: UMPIRE_PROPERTY_SEED repeats its cases. `npm run fuzz` sets both variables.
const { UMPIRE_PROPERTY_CASES, UMPIRE_PROPERTY_SEED } = process.env;

/** Cases of every property, if `npm run fuzz` asks for so many. */
export const LONG_CASES = UMPIRE_PROPERTY_CASES === undefined ? undefined : Number(UMPIRE_PROPERTY_CASES);

fc.configureGlobal({
  numRuns: LONG_CASES ?? 500,
  ...(UMPIRE_PROPERTY_SEED !== undefined && { seed: Number(UMPIRE_PROPERTY_SEED) }),
});

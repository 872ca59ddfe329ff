import fc from "fast-check";

// A setup file of the unit tests. What fails prints its seed. `npm run fuzz` tries many more cases.
fc.configureGlobal({ numRuns: 500 });

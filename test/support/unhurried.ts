/** Limits of the service that no machine is too slow for. */
export const UNHURRIED = { deadlineMs: 600_000, runMs: 600_000 };

import { isExpired } from "../../../service/auth/keys.ts";
import type { ApiKey } from "../../../service/auth/keys.ts";
import type { Screen } from "./screen.ts";
import { fit, widthOf, wrap } from "./terminal-text.ts";

/** The least room for a key's facts beside its name. A name that leaves less gets a line of its own. */
const MIN_FACT_CELLS = 30;
const GAP = "  ";

/** A table of keys for people: names on the left, limits on the right. Shows nothing secret, and no hashes. */
export function showKeys(keys: readonly ApiKey[], nowMs: number, screen: Screen): string {
  if (keys.length === 0) return "There are no keys.\n";
  const longest = Math.max(...keys.map(({ name }) => widthOf(name)));
  const nameCells = Math.min(longest, screen.width - MIN_FACT_CELLS - GAP.length);
  return `${keys.flatMap((key) => showKey(key, nowMs, nameCells, screen)).join("\n")}\n`;
}

function showKey(key: ApiKey, nowMs: number, nameCells: number, { width, paint }: Screen): string[] {
  const facts = wrap(factsOf(key, nowMs).join(" · "), width - nameCells - GAP.length);
  const title = (name: string): string => paint(isExpired(key, nowMs) ? "red" : "bold", name);
  const below = facts.map((line) => `${" ".repeat(nameCells)}${GAP}${line}`);
  if (widthOf(key.name) > nameCells) return [title(key.name), ...below];
  return [`${title(fit(key.name, nameCells))}${GAP}${facts[0]}`, ...below.slice(1)];
}

function factsOf(key: ApiKey, nowMs: number): string[] {
  const { expiresAt, models, requestsPerMinute, paysCredits, createdAt } = key;
  return [
    expiresAt === undefined ? "never expires" : `${isExpired(key, nowMs) ? "expired" : "expires"} ${minuteOf(expiresAt)}`,
    models === undefined ? "all models" : models.join(", "),
    ...(requestsPerMinute === undefined ? [] : [`${requestsPerMinute} requests a minute`]),
    ...(paysCredits === false ? ["free"] : []),
    ...(createdAt === undefined ? [] : [`created ${createdAt.slice(0, 10)}`]),
  ];
}

/** `2027-01-31 18:00 UTC` */
function minuteOf(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

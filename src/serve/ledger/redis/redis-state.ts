import { DecideError } from "../../../errors.ts";

/** What the INFO of a Redis says about whether it may lose credits. */
export interface RedisState {
  /** Set if it may not hold credits. */
  readonly problem: DecideError | undefined;
  /** Set if it may lose credits when it ends. */
  readonly warning: string | undefined;
}

/** @param info its sections on memory and persistence */
export function redisStateOf(info: string): RedisState {
  const policy = valueIn(info, "maxmemory_policy") ?? "noeviction";
  const keepsLog = valueIn(info, "aof_enabled") !== "0";
  return {
    problem: policy === "noeviction" ? undefined : mayEvict(),
    warning: keepsLog
      ? undefined
      : "The Redis server that holds the credits keeps no append-only file: charges since its last snapshot are lost when it ends. Set appendonly to yes.",
  };
}

function valueIn(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(\\S+)`, "mu").exec(info)?.[1];
}

function mayEvict(): DecideError {
  return new DecideError(
    "backend_unavailable",
    "The Redis server may evict keys, and credits with them. Set its maxmemory-policy to noeviction.",
  );
}

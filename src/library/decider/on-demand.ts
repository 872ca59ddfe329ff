import { onDemand } from "../async/on-demand.ts";
import type * as Bulk from "../bulk/decide-many.ts";
import type * as Check from "../check/check.ts";
import type * as Explain from "../explain/explain.ts";
import type * as Pool from "./slot-pool.ts";
import type * as Lessons from "../lessons/index.ts";

// What is not deciding with one worker. It is loaded when it is first used: a page that only decides never loads it.

export const loadLessons = (): Promise<typeof Lessons> => onDemand("lessons", import("../lessons/index.ts"));

export const loadExplain = (): Promise<typeof Explain> => onDemand("explain", import("../explain/explain.ts"));

export const loadPool = (): Promise<typeof Pool> => onDemand("pool", import("./slot-pool.ts"));

export const loadCheck = (): Promise<typeof Check> => onDemand("check", import("../check/check.ts"));

export const loadBulk = (): Promise<typeof Bulk> => onDemand("bulk", import("../bulk/decide-many.ts"));

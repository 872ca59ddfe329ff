import { DEVICES } from "../../../src/library/engine/devices.ts";
import { NODE_DEVICES } from "../../../src/library/platform/platform.ts";

/** What `umpire doctor --json` prints. */
export interface Report {
  readonly ok: boolean;
  readonly version: string;
  readonly findings: readonly {
    readonly name: string;
    readonly status: string;
    readonly text: string;
    readonly advice?: string;
    readonly facts?: Readonly<Record<string, unknown>>;
  }[];
}

export const read = (stdout: string): Report => JSON.parse(stdout) as Report;
export const finding = ({ findings }: Report, name: string): Report["findings"][number] => {
  const found = findings.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no finding ${name}`);
  return found;
};

/** Names of the findings about devices. */
export const PLACEMENTS = NODE_DEVICES.flatMap((device) => DEVICES[device].precisions.map((precision) => `${device} ${precision}`));
